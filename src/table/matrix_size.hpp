// Sizes that come from a file are checked before memory is asked for.
#pragma once

#include <cstddef>
#include <string>

#include "cavity/dataset.hpp"

namespace cavity {

/// Throws InputError when a matrix would have no rows or columns or would not fit this machine's memory.
void check_size(std::size_t rows, std::size_t cols, const std::string& path);

/// A matrix of zeros, of a size that has been checked.
FeatureMatrix allocate_features(std::size_t rows, std::size_t cols, const std::string& path);

/// "x1", "x2", ... for a prefix of "x" and a first number of 1.
std::vector<std::string> numbered_names(const std::string& prefix, std::size_t first, std::size_t count);

}  // namespace cavity
