// Sizes that come from a file are checked before memory is asked for.
#pragma once

#include <cstddef>
#include <string>

#include "cavity/dataset.hpp"

namespace cavity::data {

/// A matrix of zeros; throws InputError when it has no rows or columns or would not fit this machine's memory.
FeatureMatrix allocate_features(std::size_t rows, std::size_t cols, const std::string& path);

/// "x1", "x2", ... for a prefix of "x" and a first number of 1.
std::vector<std::string> numbered_names(const std::string& prefix, std::size_t first, std::size_t count);

}  // namespace cavity::data
