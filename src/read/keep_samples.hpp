// Some samples of a data set.
#pragma once

#include <cstddef>
#include <vector>

#include "cavity/dataset.hpp"
#include "read/labels.hpp"

namespace cavity {

/// Leaves out all others; `samples` ascend. InputError for genotypes and columns in a file, which stay as they are
/// held, unless all are kept.
void keep_samples(const std::vector<std::size_t>& samples, Dataset& dataset);

/// Samples whose label is missing, where labels are required and some are there; a note says how many and who.
void drop_unlabelled(LabelTexts& labels, const ReadOptions& options, Dataset& dataset);

}  // namespace cavity
