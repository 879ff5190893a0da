// The error of more than two classes, from the probabilities of left-out samples.
#pragma once

#include "base/matrix.hpp"
#include "cavity/fit.hpp"
#include "leave/sample_groups.hpp"

namespace cavity {

/// Factor on each class's probability where the classes will have these shares; empty where none are given.
std::vector<double> class_shift(const std::vector<double>& shares, const std::vector<std::size_t>& counts);

/// Each row multiplied by the factors and brought back to sum 1; as it is where there are none.
void shift_classes(const std::vector<double>& shift, Matrix& probability);

/// The most probable; the first of equal ones.
std::uint32_t most_probable(const Matrix& probability, std::size_t sample);

/// `groups` of samples were left out as a whole, where there are any.
/// Fills `loo` and `several` of a fit whose data summary is there, from samples x classes. Classes count as in the
/// population, where there is one. Of `accuracy` only what has a meaning for any number of classes: the interval of the
/// error, the mean share of samples that are right over classes, and the Brier score, half the summed square.
void estimate_several(const Matrix& probability, const std::vector<double>& shift, const SampleGroups* groups,
                      Fit& fit);

}  // namespace cavity
