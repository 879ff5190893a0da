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
/// not there and for infinite values.
MatchedColumns match_features(const Preprocessing& preprocessing, Dataset& data, ThreadPool& pool);

/// The values of some inputs (positions among the kept features) of a dense table as the file has them, missing ones
/// filled: samples x inputs. Throws InputError for features that are not there.
FeatureMatrix measured_values(const Preprocessing& preprocessing, const Dataset& data,
                              std::span<const std::uint32_t> inputs);

}  // namespace cavity
