// A GEO series matrix: a table with a row a probe, and above it lines of what is known of the samples.
#pragma once

#include <string>
#include <string_view>

#include "read/sample_sheet.hpp"

namespace cavity {

/// The lines !Sample_NAME of `text` as a sample sheet, ids being those of !Sample_geo_accession: a column a line, and
/// of the characteristics ("tissue: colon") a column a key. UsageError for an id column that is not there, InputError
/// for lines of different length and repeated ids.
SampleSheet series_sheet(std::string_view text, const std::string& path, const ReadOptions& options);

}  // namespace cavity
