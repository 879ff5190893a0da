// Do new samples look like the training ones?
//   outside: the share of a row's square distance from the training mean that no affine combination of training rows
//     reaches, |x - sum_mu a_mu x_mu|^2/|x - mean|^2 with sum a = 1; of a training row that of the others. By the gram
//     matrix G over the features that are there, with c next to nothing and b much more than G,
//       A = (G + b 1 1^T + c)^-1,  new: a = A (k + b 1),  rest |x|^2 - 2 a.k + a^T G a;
//       training: rest (A G A)_mu,mu/A_mu,mu^2.
//   shift: mean of each feature, in standard deviations of the training samples.
//   fields: log odds of what is stated, beside those of the training samples left out.
#pragma once

#include <optional>
#include <span>

#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "cavity/validate.hpp"

namespace cavity {

/// None where the model has no training rows, or principal directions.
std::optional<Drift> measure_drift(const Model& model, Dataset data, const PredictOptions& options, ThreadPool& pool);

/// `stated` and `left_out`: samples x classes.
void compare_fields(std::span<const double> stated, std::span<const double> left_out, std::size_t classes, Drift& out);

}  // namespace cavity
