// Beside the classes one against the rest stands a fit of all of them together: a softmax of linear scores in which
// every feature is kept and all weights have one Gaussian prior, its precision chosen by leave-one-out
// (multinomial.hpp). What lies between two classes it sees as such: one against the rest of iris or digits is a harder
// question than the whole. The answer mixes the two,
//   P = (1 - s) P_joined + s P_together,  s maximises sum_mu ln P(own class left out) + ln(1 - s),
// and where features are many and few of them matter s is small or none.
#pragma once

#include <optional>

#include "design/design.hpp"
#include "fit/joining.hpp"
#include "infer/problem.hpp"

namespace cavity {

struct ClassProblem {
  const Design& design;
  const Covariates& covariates;
  std::span<const std::uint32_t> classes;
  std::size_t count;           // of classes
  const SampleGroups* groups;  // left out together; none: each alone
};

struct TogetherFit {
  Together model;      // its share is open
  Matrix probability;  // samples x classes: left out
};

/// None where it would cost too much: an inversion of d^3 + samples d^2 operations, d = classes min(samples, features).
std::optional<TogetherFit> fit_together(const ClassProblem& problem, ThreadPool& pool);

/// Takes its share in the answer: that of `joined` becomes the mixture's, each sample's by a share fitted without its
/// fold. Returns the share, 0 where it is next to none: `joined` is then as it was.
double mix_together(const Matrix& together, std::span<const std::uint32_t> classes, const SampleGroups* groups,
                    Matrix& joined);

/// Samples x classes, of new samples; `covariates` with the intercept.
Matrix together_probability(const Together& model, std::size_t classes, double floor, const Design& design,
                            const Matrix& covariates, ThreadPool& pool);

}  // namespace cavity
