// One block of several, as if it were a table alone.
#pragma once

#include "cavity/dataset.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

/// What is done to block `b`; its features are counted from its own first.
Preprocessing preparation_of_block(const Preprocessing& whole, std::size_t b);

/// How many features share the prior variance of the inputs, (sum_l f_l^2)^2 / sum_l f_l^4, f the factor of a feature's
/// block: all of one table, and about as many as a narrow block has where the others hardly count.
std::size_t features_that_count(const Preprocessing& preprocessing);

/// The columns that have the names of the block's features, of a dense table.
Dataset features_of_block(const Preprocessing& block, const Dataset& data);

}  // namespace cavity
