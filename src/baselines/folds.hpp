// Cross-validation for methods without a leave-one-out of their own: everything but the preprocessing is refitted.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "infer/problem.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

/// What a method needs to fit: some rows of a prepared table.
struct Rows {
  const Design& design;
  const std::vector<std::int8_t>& labels;
  const Covariates& covariates;
};
/// Fits `training` and returns the scores of all rows of `left_out`.
using FoldFit = std::function<std::vector<double>(const Rows& training, const Rows& left_out)>;

/// A score for every sample from the fit without its fold. Folds are random, each class spread evenly over them; a fold
/// that would leave a class empty scores its samples 0.
std::vector<double> cross_validate(const Inputs& inputs, const std::vector<std::int8_t>& labels,
                                   const Covariates& covariates, int folds, std::uint64_t seed, const FoldFit& fit);

}  // namespace cavity
