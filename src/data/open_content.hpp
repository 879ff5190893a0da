// A file opened and decompressed where needed: from here on only its content matters.
#pragma once

#include <string>

#include "data/bytes.hpp"

namespace cavity::data {

Bytes open_content(const std::string& path);

}  // namespace cavity::data
