// What is done with a table's features once all samples and labels are known: those of one name become one, and ids go.
#pragma once

#include "cavity/read.hpp"

namespace cavity {

/// Where `options.duplicates` says so, features of one name become their mean, their sum or the first of them; missing
/// values do not count.
void join_duplicates(const ReadOptions& options, Dataset& dataset);

/// In a table with names, and not in prediction: columns that number the samples (table/numbering.hpp) are left out,
/// but for those in `options.keep`; a note names them.
void leave_out_ids(const ReadOptions& options, Dataset& dataset);

}  // namespace cavity
