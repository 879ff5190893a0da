// The features that a model keeps, found in new data by name.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

struct MatchedColumns {
  std::vector<std::uint32_t> column;  // of every kept feature (SparseTable::zeros for an absent f<index>)
  std::size_t missing = 0;            // values that take their feature's training mean
};

/// The rows of a dense table are rewritten: missing values filled, rows transformed, kept features picked, so that
/// `data.features` becomes samples x kept. Any other table stays as it is held. Throws InputError for features that are
/// not there and for infinite values. `ranked_later`: see apply().
MatchedColumns match_features(const Preprocessing& preprocessing, Dataset& data, const std::vector<bool>& ranked_later,
                              ThreadPool& pool);

/// The values of some inputs (positions among the kept features) of a dense table as the file has them, missing ones
/// filled: samples x inputs. Throws InputError for features that are not there.
FeatureMatrix measured_values(const Preprocessing& preprocessing, const Dataset& data,
                              std::span<const std::uint32_t> inputs);

/// Inputs (positions among the kept features) that have no column in the data.
std::vector<std::uint32_t> absent_inputs(const Preprocessing& preprocessing, const Dataset& data);

/// A column of missing values for each of them, so that all features are there by name; the table becomes dense.
void add_absent_columns(const Preprocessing& preprocessing, std::span<const std::uint32_t> absent, Dataset& data);

/// A sample of a dense table: the inputs that it has no value for beside the `absent` ones, increasing. Throws
/// InputError for features that are not there.
std::vector<std::vector<std::uint32_t>> missing_inputs(const Preprocessing& preprocessing, const Dataset& data,
                                                       std::span<const std::uint32_t> absent, ThreadPool& pool);

}  // namespace cavity
