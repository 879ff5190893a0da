// What each feature says alone. Of a class against the others, u in {0, 1}, with the projection R off intercept and
// covariates:
//   e = R u,  difference = e.x / e.e,  t = difference sqrt(e.e df / (x.R x - difference^2 e.e)),  df = M - rank - 1
// Without covariates these are the difference of the two means and Student's t with the pooled variance; with them, of
// samples that are alike in them. The q of Benjamini and Hochberg goes by the two-sided p of all features.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "design/design.hpp"

namespace cavity {

/// NaN where it is not known.
struct MarginalFigures {
  double difference = std::numeric_limits<double>::quiet_NaN(), t = difference, q = difference;
};

struct MarginalInput {
  const Design& design;
  std::span<const double> row_scale;  // that the design's rows are multiplied by: it is taken out
  const Matrix& covariates;           // samples x any number, the intercept among them
  std::span<const std::uint32_t> classes;
};

/// Of all processes' features, each in the units of a row without its scale. A column of targets costs a pass over the
/// design, all classes together one. NaN of a feature that does not vary beyond the covariates; infinite t where it
/// varies between the classes only.
std::vector<std::vector<MarginalFigures>> marginals(const MarginalInput& input, std::span<const std::uint32_t> of_class,
                                                    ThreadPool& pool);

/// Smallest false-discovery rate at which each p would be listed; p that are NaN are no tests.
std::vector<double> false_discovery_rates(const std::vector<double>& p);

}  // namespace cavity
