// One block of several, as if it were a table alone.
#pragma once

#include "cavity/dataset.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

/// What is done to block `b`; its features are counted from its own first.
Preprocessing preparation_of_block(const Preprocessing& whole, std::size_t b);

/// The columns that have the names of the block's features, of a dense table.
Dataset features_of_block(const Preprocessing& block, const Dataset& data);

}  // namespace cavity
