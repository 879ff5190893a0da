// "How many samples do I need?": the error of the matched classifier falls with the number of samples, from 1/2 to
// that of a student that knows the teacher; find where it passes the target. Independent features, matched prior.
#include <fmt/format.h>

#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "base/threads.hpp"
#include "cavity/errors.hpp"
#include "cavity/theory.hpp"
#include "theory/generalization.hpp"

namespace cavity {

namespace {

constexpr double largest_ratio = 1e6;

void check_features(double features) {
  if (!(features >= 1 && std::isfinite(features)))
    throw UsageError(fmt::format("{} features: a plan needs at least one", features));
}

ReplicaSolution matched(const Perceptron& truth, double ratio) { return replica_fixed_point({ratio, truth, truth}); }

double best_error(const Perceptron& truth) { return theory::best_error(theory::make_ensemble({1, truth, truth})); }

Plan answer(double features, const Perceptron& truth, double samples) {
  const double ratio = samples / features;
  const ReplicaSolution solution = matched(truth, ratio);
  return {true, samples, ratio, solution.error_sbc, solution.error_gibbs, best_error(truth)};
}

// The ratio at which the error passes the target; none when even the largest ratio leaves more.
std::optional<double> crossing(const Perceptron& truth, double target) {
  const auto excess = [&](double log_ratio) { return matched(truth, std::exp(log_ratio)).error_sbc - target; };
  const double step = std::log(4.0);
  double low = 0, high = 0;
  while (excess(low) <= 0) low -= step;
  while (excess(high) > 0) {
    if (high > std::log(largest_ratio)) return std::nullopt;
    high += step;
  }
  std::uintmax_t iterations = 80;
  const auto root =
      boost::math::tools::toms748_solve(excess, low, high, boost::math::tools::eps_tolerance<double>(40), iterations);
  return std::exp(0.5 * (root.first + root.second));
}

}  // namespace

Plan plan_error(double features, const Perceptron& truth, double samples) {
  check_features(features);
  if (!(samples >= 1 && std::isfinite(samples)))
    throw UsageError(fmt::format("{} samples: a plan needs at least one", samples));
  return answer(features, truth, samples);
}

Plan plan_samples(double features, const Perceptron& truth, double target_error) {
  check_features(features);
  if (!(target_error > 0 && target_error < 0.5))
    throw UsageError(fmt::format("target error {} is outside (0, 0.5): 0.5 is what guessing gives", target_error));
  const double best = best_error(truth);
  const std::optional<double> ratio = target_error > best ? crossing(truth, target_error) : std::nullopt;
  if (!ratio) return {false, 0, 0, 0.5, 0.5, best};
  // The root is a real number; samples are not, and the rounding of the root must not cost one.
  double samples = std::max(1.0, std::floor(*ratio * features * (1 - 1e-9)));
  Plan plan = answer(features, truth, samples);
  while (plan.error_sbc > target_error) plan = answer(features, truth, ++samples);
  return plan;
}

std::vector<LearningCurvePoint> learning_curve(double features, const Perceptron& truth,
                                               std::span<const double> samples, unsigned threads) {
  check_features(features);
  std::vector<LearningCurvePoint> curve(samples.size());
  ThreadPool pool(threads);
  pool.run(samples.size(), [&](std::size_t i) {
    const Plan plan = plan_error(features, truth, samples[i]);
    curve[i] = {samples[i], plan.ratio, plan.error_sbc, plan.error_gibbs};
  });
  return curve;
}

}  // namespace cavity
