// ln(1 + value) for counts: the one transform that leaves zeros zero, so that sparse data stay sparse.
#pragma once

#include <string>
#include <vector>

#include "base/shards.hpp"
#include "cavity/dataset.hpp"

namespace cavity {

/// A sparse table whose stored values, in all processes, are whole numbers, none negative, not all of them 1.
bool holds_counts(const FeatureTable& features, const Shards& shards);

/// In place, of a dense or a sparse table; missing values stay missing. InputError for a negative or infinite value,
/// with its sample and feature; UsageError for a table that is held otherwise.
void take_logs(FeatureTable& features, const std::vector<std::string>& feature_names,
               const std::vector<std::string>& sample_names);

}  // namespace cavity
