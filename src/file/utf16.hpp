// Text as spreadsheets of one vendor save it: UTF-16, with a byte-order mark, as UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "file/bytes.hpp"

namespace cavity {

/// `bytes` begins with either byte-order mark, which is left out. InputError, with the line, for a character that is
/// cut short or half a pair.
Bytes utf8_from_utf16(std::string_view bytes, const std::string& path);

}  // namespace cavity
