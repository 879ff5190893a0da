// Where a table stands in its text: behind the lines that programs put before it, and before a line that ends it.
#pragma once

#include <cstddef>
#include <string_view>

namespace cavity {

struct TablePart {
  std::string_view text;         // all of it up to the end of the table: lines are counted from its first
  std::size_t begin = 0;         // of the first row
  std::size_t lines_before = 0;  // that begin with # or !, and blank ones between them
  bool marked_header = false;    // the first row begins with a #, which is no part of its first name
};

/// Lines that begin with # or ! stand before a table (featureCounts, GEO, exports). The last of them is its header
/// where it begins with # and has as many fields, at least two, as the line below it, which holds numbers (QIIME's
/// "#OTU ID"). The table of a GEO series matrix ends before the line !series_matrix_table_end.
TablePart table_part(std::string_view text);

/// Lines !Sample_... before the table, as GEO writes them: what is known of the samples.
bool is_series_matrix(std::string_view text);

}  // namespace cavity
