#include "file/expand_content.hpp"

#include <fmt/format.h>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/decompress.hpp"
#include "file/messages.hpp"
#include "file/utf16.hpp"

namespace cavity {

Bytes expand_content(Bytes bytes, const std::string& path) {
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
  if (detect_content(bytes.view(), path) == Content::utf16) bytes = utf8_from_utf16(bytes.view(), path);
  if (bytes.view().empty()) throw InputError(fmt::format("{}: the file is empty", shown_path(path)));
  return bytes;
}

}  // namespace cavity
