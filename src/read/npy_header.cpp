#include "read/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "cavity/errors.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw InputError(fmt::format("{}: .npy file: {}", shown_path(path), what));
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// What follows 'key': in the dictionary.
std::string_view entry(std::string_view dictionary, const std::string& key, const std::string& path) {
  for (const char quote : {'\'', '"'}) {
    const std::size_t at = dictionary.find(quote + key + quote);
    if (at == std::string_view::npos) continue;
    const std::size_t colon = dictionary.find(':', at);
    const std::size_t value = dictionary.find_first_not_of(" ", std::min(colon, dictionary.size() - 1) + 1);
    if (colon != std::string_view::npos && value != std::string_view::npos) return dictionary.substr(value);
  }
  fail(path, fmt::format("its header has no {}", key));
}

void read_type(NpyHeader& header, std::string_view value, const std::string& path) {
  const std::size_t close = value.find(value[0], 1);
  const bool text = (value[0] == '\'' || value[0] == '"') && close != std::string_view::npos;
  const std::string_view type = text ? value.substr(1, close - 1) : "a structured type";
  if (type.starts_with('>')) {
    fail(path, fmt::format("values of type {} are big-endian; save it with array.astype('<f4')", shown(type)));
  }
  const bool order = type.size() == 3 && (type[0] == '<' || type[0] == '|' || type[0] == '=');
  const std::string_view letters = order ? type.substr(1) : "";
  constexpr std::string_view known[] = {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
  if (std::find(std::begin(known), std::end(known), letters) == std::end(known)) {
    fail(path, fmt::format("values of type {} are not supported; save it with array.astype('<f4')", shown(type)));
  }
  header.kind = letters[0];
  header.item_size = static_cast<std::size_t>(letters[1] - '0');
}

void read_shape(NpyHeader& header, std::string_view value, const std::string& path) {
  const std::size_t close = value.find(')');
  if (value[0] != '(' || close == std::string_view::npos) fail(path, "its header has no shape");
  const std::string_view shape = value.substr(0, close + 1);
  std::vector<std::size_t> sizes;
  for (std::size_t at = shape.find_first_not_of(" ,", 1); at < close; at = shape.find_first_not_of(" ,L", at)) {
    std::size_t size = 0;
    const auto [rest, error] = std::from_chars(shape.data() + at, shape.data() + close, size);
    if (error != std::errc{}) fail(path, fmt::format("unreadable shape {}", shown(shape)));
    at = static_cast<std::size_t>(rest - shape.data());
    sizes.push_back(size);
  }
  if (sizes.size() != 2) {
    fail(path, fmt::format("shape {} is not samples x features; a 2-D array is needed", shown(shape)));
  }
  header.rows = sizes[0];
  header.cols = sizes[1];
}

void check_length(const NpyHeader& header, std::size_t size, const std::string& path) {
  const std::size_t available = size - header.data, items = available / header.item_size;
  const bool whole = header.rows == 0 || header.cols <= items / header.rows;
  const std::size_t needed = whole ? header.rows * header.cols * header.item_size : 0;
  if (whole && needed == available) return;
  fail(path, fmt::format("its shape ({}, {}) of {}-byte values does not fit the {} bytes of data in the file{}",
                         header.rows, header.cols, header.item_size, available, whole ? "" : " (truncated?)"));
}

}  // namespace

NpyHeader read_npy_header(std::string_view bytes, const std::string& path) {
  if (bytes.size() < 12) fail(path, "truncated header");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) fail(path, fmt::format("version {} is not known (1 to 3 are)", version));
  const std::size_t length_size = version == 1 ? 2 : 4;
  const std::size_t begin = 8 + length_size, length = little_endian(bytes.substr(8, length_size));
  if (length > bytes.size() - begin) fail(path, "truncated header");
  const std::string_view dictionary = bytes.substr(begin, length);
  NpyHeader header;
  header.data = begin + length;
  read_type(header, entry(dictionary, "descr", path), path);
  header.fortran_order = entry(dictionary, "fortran_order", path).starts_with("True");
  read_shape(header, entry(dictionary, "shape", path), path);
  check_length(header, bytes.size(), path);
  return header;
}

}  // namespace cavity
