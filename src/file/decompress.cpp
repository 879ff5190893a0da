#include "file/decompress.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

/// Bytes expanded at a time: small files get by with little.
std::size_t piece_size(std::string_view compressed) {
  return std::clamp(8 * compressed.size(), std::size_t{1} << 14, std::size_t{1} << 20);
}

/// Collects the pieces and refuses as early as can be.
class Expansion {
 public:
  Expansion(const std::string& path, const ExpansionLimits& limits) : path_(path), limits_(limits) {}

  char* room(std::size_t piece) { return bytes_.room(piece); }

  /// `consumed`: compressed bytes used so far, so that the ratio shows before the rest is expanded.
  void commit(std::size_t count, std::size_t consumed) {
    const std::size_t from = bytes_.view().size();
    bytes_.commit(count);
    if (count == 0) return;
    if (from == 0) text_ = detect_content(bytes_.view(), path_) >= Content::svmlight;
    if (text_) reject_nul(bytes_.view(), from, path_);
    const std::size_t size = bytes_.view().size();
    const bool suspicious = size > limits_.free_bytes && size / limits_.ratio > consumed;
    if (suspicious || size > limits_.total_bytes) {
      throw InputError(
          fmt::format("{}: {} compressed bytes expand to {}{}; if the file is genuine, "
                      "decompress it first and read the plain file",
                      shown_path(path_), consumed, size,
                      suspicious ? fmt::format(" (over {}-fold)", limits_.ratio) : " (memory limit)"));
    }
  }

  Bytes take() { return std::move(bytes_); }

 private:
  const std::string& path_;
  ExpansionLimits limits_;
  Bytes bytes_;
  bool text_ = true;
};

[[noreturn]] void truncated(const char* kind, const std::string& path) {
  throw InputError(fmt::format("{}: the {} data ends too early (truncated file); copy or download it again",
                               shown_path(path), kind));
}

[[noreturn]] void corrupt(const char* kind, const std::string& path, const char* reason) {
  throw InputError(fmt::format("{}: corrupt {} data ({}); copy or download it again", shown_path(path), kind,
                               reason != nullptr ? reason : "unreadable"));
}

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream stream{};
};

/// After the end of a member: another member, or zeros (tape padding), or nothing.
bool starts_member(std::string_view rest, const std::string& path) {
  if (rest.find_first_not_of('\0') == std::string_view::npos) return false;
  if (!rest.starts_with("\x1f\x8b")) corrupt("gzip", path, "other bytes after its end");
  return true;
}

}  // namespace

Bytes decompress_gzip(std::string_view compressed, const std::string& path, const ExpansionLimits& limits) {
  Expansion out(path, limits);
  Inflater inflater;
  const std::size_t total = compressed.size(), piece = piece_size(compressed);
  z_stream& stream = inflater.stream;
  while (true) {
    const std::size_t offered = std::min(compressed.size(), piece);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
    stream.avail_in = static_cast<uInt>(offered);
    stream.next_out = reinterpret_cast<Bytef*>(out.room(piece));
    stream.avail_out = static_cast<uInt>(piece);
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) corrupt("gzip", path, stream.msg);
    compressed.remove_prefix(offered - stream.avail_in);
    out.commit(piece - stream.avail_out, total - compressed.size());
    if (status == Z_STREAM_END) {
      if (!starts_member(compressed, path)) return out.take();
      inflateReset(&stream);
    } else if (compressed.empty() && stream.avail_out > 0) {
      truncated("gzip", path);
    }
  }
}

Bytes decompress_zstd(std::string_view compressed, const std::string& path, const ExpansionLimits& limits) {
  Expansion out(path, limits);
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  if (stream == nullptr) throw std::bad_alloc();
  const std::size_t piece = piece_size(compressed);
  ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
  while (true) {
    ZSTD_outBuffer piece_out{out.room(piece), piece, 0};
    const std::size_t hint = ZSTD_decompressStream(stream.get(), &piece_out, &in);
    if (ZSTD_isError(hint)) corrupt("zstd", path, ZSTD_getErrorName(hint));
    out.commit(piece_out.pos, in.pos);
    if (in.pos < in.size) continue;
    if (hint == 0) return out.take();
    if (piece_out.pos < piece) truncated("zstd", path);
  }
}

}  // namespace cavity
