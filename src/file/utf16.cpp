#include "file/utf16.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "cavity/errors.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

constexpr std::uint32_t first_high = 0xD800, first_low = 0xDC00, past_low = 0xE000;

bool is_high(std::uint32_t unit) { return unit >= first_high && unit < first_low; }
bool is_low(std::uint32_t unit) { return unit >= first_low && unit < past_low; }

char* put(char* out, std::uint32_t c) {
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    *out++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *out++ = static_cast<char>(0xC0 | c >> 6);
    *out++ = tail(0);
  } else if (c < 0x10000) {
    *out++ = static_cast<char>(0xE0 | c >> 12);
    *out++ = tail(6);
    *out++ = tail(0);
  } else {
    *out++ = static_cast<char>(0xF0 | c >> 18);
    *out++ = tail(12);
    *out++ = tail(6);
    *out++ = tail(0);
  }
  return out;
}

}  // namespace

Bytes utf8_from_utf16(std::string_view bytes, const std::string& path) {
  const std::size_t low = bytes.starts_with("\xff\xfe") ? 0 : 1;
  bytes.remove_prefix(2);
  const auto unit = [&](std::size_t at) {
    const auto a = static_cast<unsigned char>(bytes[at + low]), b = static_cast<unsigned char>(bytes[at + 1 - low]);
    return static_cast<std::uint32_t>(b << 8 | a);
  };
  std::size_t line = 1;
  const auto refuse = [&](const char* what) {
    throw InputError(
        fmt::format("{}, line {}: UTF-16 text with {}; save the table as UTF-8 text", shown_path(path), line, what));
  };
  constexpr std::size_t piece = std::size_t{1} << 20, largest = 4;
  Bytes out;
  for (std::size_t at = 0; at < bytes.size();) {
    char* const begin = out.room(std::min(piece, 2 * (bytes.size() - at) + largest));
    char* end = begin;
    for (; at < bytes.size() && static_cast<std::size_t>(end - begin) + largest <= piece; at += 2) {
      if (at + 2 > bytes.size()) refuse("half a character at its end");
      std::uint32_t c = unit(at);
      if (is_low(c)) refuse("half a pair of characters");
      if (is_high(c)) {
        if (at + 4 > bytes.size() || !is_low(unit(at + 2))) refuse("half a pair of characters");
        c = 0x10000 + (c - first_high) * 0x400 + unit(at += 2) - first_low;
      }
      if (c == '\n') ++line;
      end = put(end, c);
    }
    out.commit(static_cast<std::size_t>(end - begin));
  }
  return out;
}

}  // namespace cavity
