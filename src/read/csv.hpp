// Tables: comma, tab or semicolon separated values.
#pragma once

#include <string>

#include "cavity/read.hpp"
#include "file/bytes.hpp"

namespace cavity {

/// Two passes: one finds the rows (memchr speed) and cuts the text into blocks, one parses each block into its own rows
/// of the matrix. Blocks do not depend on each other. Peak memory: the matrix, and the text unless it is a mapped file.
Dataset read_csv(const Bytes& bytes, const std::string& path, const ReadOptions& options);

}  // namespace cavity
