// Where there is no zlib: gzip (RFC 1952) around Boost.Beast's inflate, with zlib's words for what is wrong.
#include <boost/beast/zlib/inflate_stream.hpp>
#include <boost/crc.hpp>
#include <cstdint>

#include "file/expansion.hpp"

namespace cavity {

namespace {

namespace beast = boost::beast::zlib;

/// One gzip file, taken from the front.
class Members {
 public:
  Members(std::string_view compressed, const std::string& path) : rest_(compressed), path_(path) {}

  std::string_view rest() const { return rest_; }

  void skip_header() {
    enum Flag : unsigned { checked = 2, extra = 4, name = 8, comment = 16, reserved = 0xE0 };
    const std::string_view fixed = take(10);
    const auto flags = static_cast<unsigned char>(fixed[3]);
    if (fixed[2] != 8) corrupt("gzip", path_, "unknown compression method");
    if ((flags & reserved) != 0) corrupt("gzip", path_, "unknown header flags set");
    if ((flags & extra) != 0) take(little_endian(take(2)));
    for (const unsigned text : {name, comment})
      if ((flags & text) != 0) take(rest_.find('\0') + 1);
    if ((flags & checked) != 0) take(2);
  }

  void check_trailer(std::uint32_t crc, std::uint32_t size) {
    if (little_endian(take(4)) != crc) corrupt("gzip", path_, "incorrect data check");
    if (little_endian(take(4)) != size) corrupt("gzip", path_, "incorrect length check");
  }

  void skip(std::size_t count) { rest_.remove_prefix(count); }

 private:
  /// 0, from a text without an end, is truncated, too.
  std::string_view take(std::size_t count) {
    if (count == 0 || count > rest_.size()) truncated("gzip", path_);
    const std::string_view out = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return out;
  }

  static std::uint32_t little_endian(std::string_view bytes) {
    std::uint32_t out = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) out = out << 8 | static_cast<unsigned char>(bytes[i]);
    return out;
  }

  std::string_view rest_;
  const std::string& path_;
};

/// One stream of deflated data, taken from the front; `look` sees every piece of what it expands to.
template <class Look>
void inflate_stream(const char* kind, Members& members, Expansion& out, std::size_t total, const std::string& path,
                    const Look& look) {
  beast::inflate_stream stream;
  const std::size_t piece = piece_size(members.rest());
  boost::system::error_code status;
  while (status != beast::error::end_of_stream) {
    const std::size_t offered = std::min(members.rest().size(), piece);
    char* const room = out.room(piece);
    beast::z_params step;
    step.next_in = members.rest().data();
    step.avail_in = offered;
    step.next_out = room;
    step.avail_out = piece;
    stream.write(step, beast::Flush::none, status);
    const std::size_t written = piece - step.avail_out;
    if (status && status != beast::error::end_of_stream && status != beast::error::need_buffers)
      corrupt(kind, path, status.message().c_str());
    look(room, written);
    members.skip(offered - step.avail_in);
    out.commit(written, total - members.rest().size());
    if (!status && members.rest().empty() && step.avail_out > 0) truncated(kind, path);
    if (status == beast::error::need_buffers && members.rest().empty()) truncated(kind, path);
  }
}

/// The data of the member that `members` stands in, and its trailer.
void inflate_member(Members& members, Expansion& out, std::size_t total, const std::string& path) {
  boost::crc_32_type crc;
  std::uint32_t size = 0;
  inflate_stream("gzip", members, out, total, path, [&](const char* bytes, std::size_t count) {
    crc.process_bytes(bytes, count);
    size += static_cast<std::uint32_t>(count);
  });
  members.check_trailer(crc.checksum(), size);
}

}  // namespace

Bytes decompress_gzip(std::string_view compressed, const std::string& path, const ExpansionLimits& limits) {
  Expansion out(path, limits);
  Members members(compressed, path);
  do {
    members.skip_header();
    inflate_member(members, out, compressed.size(), path);
  } while (starts_member(members.rest(), path));
  return out.take();
}

Bytes decompress_deflate(std::string_view compressed, const std::string& path, const ExpansionLimits& limits) {
  Expansion out(path, limits);
  Members members(compressed, path);
  inflate_stream("deflate", members, out, compressed.size(), path, [](const char*, std::size_t) {});
  return out.take();
}

Bytes decompress_zstd(std::string_view, const std::string& path, const ExpansionLimits&) {
  throw InputError(fmt::format("{}: zstd data cannot be read here; decompress it first (unzstd FILE), or use gzip",
                               shown_path(path)));
}

}  // namespace cavity
