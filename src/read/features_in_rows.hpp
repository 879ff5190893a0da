// Tables that lie the other way: a row a feature, a column a sample, as expression data are usually exported.
#pragma once

#include <string>
#include <vector>

#include "cavity/read.hpp"
#include "file/bytes.hpp"
#include "read/csv_head.hpp"

namespace cavity {

/// See Orientation. Where a sample sheet is known, what decides is whether its ids stand in the header or in the first
/// column; `head` remembers the latter. Looks at the first field of every row where the head leaves a doubt.
bool has_features_in_rows(CsvHead& head, const char* end, const ReadOptions& options);

/// Columns whose header is no id of the sample sheet, and without a sheet columns of text, are left out. Peak memory:
/// twice the matrix. `notes` are what is known so far.
Dataset read_features_in_rows(const Bytes& bytes, const char* end, const CsvHead& head, const std::string& path,
                              const ReadOptions& options, std::vector<std::string> notes);

}  // namespace cavity
