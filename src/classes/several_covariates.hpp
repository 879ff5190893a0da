// What the covariates know without the features, of more than two classes: the covariates of two classes for each class
// against the rest, joined as the fit's own fields are.
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "cavity/fit.hpp"
#include "leave/sample_groups.hpp"

namespace cavity {

/// `probability` is the fit's, samples x classes, each sample left out; `shift` as in several_loo.hpp.
CovariatesAlone several_covariates_alone(const FeatureMatrix& encoded, const std::vector<std::uint32_t>& classes,
                                         const Matrix& probability, const std::vector<double>& shift,
                                         const SampleGroups* groups, ThreadPool& pool);

}  // namespace cavity
