// Steps of preprocessing that write, each inside the matrix it is given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

/// Fills missing values, then transforms every row.
void transform_rows(FeatureMatrix& values, std::span<const double> impute, Transform transform, ThreadPool& pool);

/// Moves the columns `kept` (increasing) of a dense table together and cuts off the rest; nothing is allocated unless
/// the values are borrowed or somebody else's, too.
void keep_columns(FeatureTable& features, const std::vector<std::uint32_t>& kept);

}  // namespace cavity
