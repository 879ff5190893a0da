#include "file/decompress.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>

#include "file/expansion.hpp"

namespace cavity {

namespace {

class Inflater {
 public:
  explicit Inflater(int window) {
    if (inflateInit2(&stream, window) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream stream{};
};

/// `kind` is gzip, whose members may follow one another, or deflate, of which there is one stream.
Bytes inflate_all(const char* kind, std::string_view compressed, const std::string& path,
                  const ExpansionLimits& limits) {
  const bool members = kind == std::string_view("gzip");
  Expansion out(path, limits);
  Inflater inflater(members ? 16 + MAX_WBITS : -MAX_WBITS);
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
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) corrupt(kind, path, stream.msg);
    compressed.remove_prefix(offered - stream.avail_in);
    out.commit(piece - stream.avail_out, total - compressed.size());
    if (status == Z_STREAM_END) {
      if (!members || !starts_member(compressed, path)) return out.take();
      inflateReset(&stream);
    } else if (compressed.empty() && stream.avail_out > 0) {
      truncated(kind, path);
    }
  }
}

}  // namespace

Bytes decompress_gzip(std::string_view compressed, const std::string& path, const ExpansionLimits& limits) {
  return inflate_all("gzip", compressed, path, limits);
}

Bytes decompress_deflate(std::string_view compressed, const std::string& path, const ExpansionLimits& limits) {
  return inflate_all("deflate", compressed, path, limits);
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
