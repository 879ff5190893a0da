// Matrix Market coordinate files: `row column value` lines, in any order; what is not named is zero.
#pragma once

#include <string>

#include "cavity/read.hpp"
#include "file/bytes.hpp"

namespace cavity {

/// Real, integer or pattern (all ones), general. Rows are samples; where only the number of columns fits the labels (or
/// the number of rows the model's features), as in single-cell files of genes x cells, columns are. Labels come from
/// their own file. Features are named x1, x2, ...; dense, or sparse where that is allowed and pays.
Dataset read_matrix_market(const Bytes& bytes, const std::string& path, const ReadOptions& options);

}  // namespace cavity
