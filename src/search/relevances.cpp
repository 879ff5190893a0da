#include "search/relevances.hpp"

#include <algorithm>
#include <iterator>

#include "design/copied_samples.hpp"
#include "search/some_of_both.hpp"

namespace cavity {

namespace {

// Half of the way. Without a straight part: with one, 500 samples of madelon end where many features together explain
// the labels (.40 and .46 of new ones wrong), without it at .14 to .21.
constexpr AscentOptions half_way{.relevance = Relevance::free, .steps = ascent_steps / 2, .straight = false};

/// Some samples with their entries.
struct Sampled {
  Sampled(const BentProblem& problem, const std::vector<std::size_t>& which)
      : values(copied_samples(problem.design, which)),
        design(view(values)),
        covariates(covariates_of(problem.covariates, which)),
        labels(labels_of(problem.labels, which)) {}

  FeatureMatrix values;
  DenseDesign design;
  Covariates covariates;
  std::vector<std::int8_t> labels;
};

Ascent climb(const BentProblem& problem, const Sampled& samples, FeatureKernel start, ThreadPool& pool) {
  return ascend(
      {samples.design, samples.labels, samples.covariates, ascent_activation(problem.activation), problem.keep_going},
      std::move(start), half_way, pool);
}

std::optional<Ascent> best_of_starts(const BentProblem& problem, const Sampled& samples, ThreadPool& pool) {
  std::optional<Ascent> best;
  for (const double length : first_lengths) {
    Ascent end = climb(problem, samples, equal_kernel(problem.design.features(), length), pool);
    if (end.found && (!best || end.log_evidence > best->log_evidence)) best = std::move(end);
  }
  return best;
}

/// Of half of the way. A step: a gram, a pass of quadratic forms, a Cholesky and an inverse an update.
double operations(std::size_t samples, std::size_t features) {
  const auto m = static_cast<double>(samples), n = static_cast<double>(features);
  return half_way.steps * (m * m * n + half_way.updates * m * m * m / 2);
}

}  // namespace

std::optional<FeatureKernel> find_relevances(const BentProblem& problem, const std::vector<std::size_t>& samples,
                                             ThreadPool& pool) {
  const std::vector<std::size_t> some = some_of_both(problem.labels, samples, enough_samples);
  std::optional<Ascent> best = best_of_starts(problem, Sampled(problem, some), pool);
  if (best) best = climb(problem, Sampled(problem, samples), std::move(best->kernel), pool);
  if (!best || !best->found) return std::nullopt;
  return std::move(best->kernel);
}

double relevance_operations(std::size_t samples, std::size_t features) {
  const std::size_t some = std::min(samples, enough_samples + enough_samples / 2);
  const auto starts = static_cast<double>(std::size(first_lengths));
  return starts * operations(some, features) + operations(samples, features);
}

}  // namespace cavity
