// Row-wise steps of preprocessing, each inside the matrix it is given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity::data {

/// Fills missing values, then transforms every row.
void transform_rows(FeatureMatrix& values, std::span<const double> impute, Transform transform, ThreadPool& pool);

/// Moves the columns `kept` (increasing) together and cuts off the rest; nothing is allocated unless the values are
/// borrowed.
void keep_columns(FeatureMatrix& values, const std::vector<std::uint32_t>& kept);

/// sqrt(columns) / |scale (row - centre)|, 1 for a zero row.
std::vector<double> unit_row_scales(const FeatureMatrix& values, std::span<const double> centre,
                                    std::span<const double> scale, ThreadPool& pool);

/// New rows: features of the model found by name, missing values filled, rows transformed, kept columns picked;
/// `data.features` becomes samples x kept. Returns how many values were filled. In place unless the model keeps more
/// features than the file has (an svmlight file that ends early), or the values are borrowed and something has to
/// change. Throws InputError for features that are not there and for infinite values.
std::size_t match_rows(const Preprocessing& preprocessing, Dataset& data, ThreadPool& pool);

/// The same for a table in its own form: the column of every kept feature (SparseTable::zeros for an absent f<index>).
std::vector<std::uint32_t> match_columns(const Preprocessing& preprocessing, const Dataset& data);

}  // namespace cavity::data
