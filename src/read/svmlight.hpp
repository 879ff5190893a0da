// svmlight / LIBSVM text: `label index:value index:value ... # comment`, absent values are zero.
#pragma once

#include <string>

#include "cavity/read.hpp"
#include "file/bytes.hpp"

namespace cavity {

/// Dense, or sparse where that is allowed and pays. A feature is named after its index in the file, f<index>, so that
/// files match by name; indices start at 1, and at 0 only if some line uses 0. Passes: sizes, then (sparse) counts,
/// then values.
Dataset read_svmlight(const Bytes& bytes, const std::string& path, const ReadOptions& options);

}  // namespace cavity
