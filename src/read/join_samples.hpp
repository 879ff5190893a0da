// The samples of a table and the lines of a sample sheet brought together, by id.
#pragma once

#include "cavity/read.hpp"
#include "read/sample_sheet.hpp"

namespace cavity {

/// What the table is asked for when the sheet has the rest: the covariates that the sheet lacks, and the label where
/// the sheet has none. UsageError for a label's position that the sheet does not have.
ReadOptions left_to_the_table(const SampleSheet& sheet, const ReadOptions& options);

/// Fills in label, groups and covariates, and leaves out samples without a line and, where labels are required, those
/// without a label; notes say who. UsageError where labels are required and neither side has them. Only a table that
/// has no ids of its own is matched by position, and only when the sheet has as many lines. InputError when no id is
/// found, or when one comes twice in the table.
void join_samples(const SampleSheet& sheet, const ReadOptions& options, Dataset& dataset);

}  // namespace cavity
