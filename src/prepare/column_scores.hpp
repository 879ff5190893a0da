// Normal scores of a feature's values among the training samples, Phi^-1((rank - 1/2)/samples), ties averaged: they are
// the same whatever the unit and the scale of the feature, and no outlier stands far from the others.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/threads.hpp"
#include "cavity/dataset.hpp"

namespace cavity {

/// Calls work(l, place) for every column, possibly from several threads: place[mu] is i + j of a value that is tied
/// from place i to place j (from 0) of its column, where normal_scores has its score. All values finite. O(samples log
/// samples) a column.
using ColumnPlaces = std::function<void(std::size_t column, std::span<const std::uint32_t> place)>;
void for_columns(const FeatureMatrix& values, const ColumnPlaces& work, ThreadPool& pool);

/// Of new samples, by the training values of every column, increasing, one column after the other: a value has the
/// score of the training values it is equal to, between two of them that of their mean rank, beyond the outermost that
/// of the outermost.
FeatureMatrix new_scores(std::span<const float> training, const FeatureMatrix& values);

}  // namespace cavity
