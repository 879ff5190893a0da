#include "data/open_content.hpp"

#include <fmt/format.h>

#include "cavity/errors.hpp"
#include "data/content.hpp"
#include "data/decompress.hpp"
#include "data/messages.hpp"

namespace cavity::data {

Bytes open_content(const std::string& path) {
  Bytes bytes = read_bytes(path);
  switch (detect_content(bytes.view(), path)) {
    case Content::gzip:
      bytes = decompress_gzip(bytes.view(), path);
      break;
    case Content::zstd:
      bytes = decompress_zstd(bytes.view(), path);
      break;
    default:
      break;
  }
  if (bytes.view().empty()) throw InputError(fmt::format("{}: the file is empty", shown_path(path)));
  return bytes;
}

}  // namespace cavity::data
