// Bytes of a file decompressed where needed: from here on only their content matters.
#pragma once

#include <string>

#include "file/bytes.hpp"

namespace cavity {

/// `path` is for messages. Throws InputError for an empty file and whatever decompression refuses.
Bytes expand_content(Bytes bytes, const std::string& path);

}  // namespace cavity
