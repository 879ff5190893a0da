// Some samples of a data set, whatever its form.
#pragma once

#include <cstddef>
#include <vector>

#include "cavity/dataset.hpp"

namespace cavity {

/// `samples` ascend. Shares what can be shared. InputError for columns in a file.
Dataset part_of(const Dataset& data, const std::vector<std::size_t>& samples);

}  // namespace cavity
