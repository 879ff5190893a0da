#include "model/pruning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cavity/errors.hpp"
#include "model/pruning_kernels.hpp"

namespace cavity {

FeatureMoments pruned_moments(double h, double total_precision, double log_odds) {
  const double ratio = h / total_precision;
  const double k = log_odds - 0.5 * std::log(total_precision) + 0.5 * h * ratio;
  const double e = std::exp(-std::abs(k)), large = 1 / (1 + e), small = e / (1 + e);
  const double p = k > 0 ? large : small, q = k > 0 ? small : large;
  const double width = 1 / total_precision + ratio * ratio;
  return {p, p * ratio, p * width, p / total_precision + p * q * ratio * ratio};
}

PruningSums pruning_sums(const FeatureMessages& messages, const PruningPrior& prior) {
  PruningSums s = kernels::pruning_sums(messages, prior);
  if (messages.shards.alone()) return s;
  double all[] = {s.count, s.inclusion, s.second, s.softplus, s.spread, s.spread_slope, s.curvature};
  messages.shards.sum(all);
  return {all[0], all[1], all[2], all[3], all[4], all[5], all[6]};
}

void pruned_moments(const FeatureMessages& messages, const PruningPrior& prior, const FeatureOutputs& out) {
  kernels::pruned_moments(messages, prior, out);
}

double slab_log_odds(const PruningPrior& prior) { return prior.log_odds - 0.5 * std::log(prior.precision); }

PruningPrior uninformed_prior(double density) {
  return {1, density >= 1 ? certain_log_odds : std::log(density / (1 - density))};
}

namespace {

struct NewtonState {
  double psi, slope_g, slope_l;      // Psi and its gradient
  double bend_gg, bend_gl, bend_ll;  // Hessian
  double mismatch;
  double resolution;  // differences of Psi below this are rounding
};

NewtonState evaluate(const FeatureMessages& messages, const PruningConditions& conditions, const PruningPrior& prior) {
  const PruningSums sums = pruning_sums(messages, prior);
  const double n = sums.count, c = conditions.density;
  NewtonState state{};
  state.psi = 0.5 * c * prior.precision - prior.log_odds * c + sums.softplus / n;
  state.slope_g = 0.5 * (c - sums.second / n);
  state.slope_l = sums.inclusion / n - c;
  state.bend_gg = sums.curvature / n;
  state.bend_gl = sums.spread_slope / n;
  state.bend_ll = sums.spread / n;
  const bool solve_odds = c < 1;
  if (!conditions.solve_precision) {
    state.slope_g = state.bend_gl = 0;
    state.bend_gg = 1;
  }
  if (!solve_odds) {
    state.slope_l = state.bend_gl = 0;
    state.bend_ll = 1;
  }
  state.resolution = 1e-15 * (1 + 0.5 * c * prior.precision + std::abs(prior.log_odds) * c + sums.softplus / n);
  state.mismatch = std::max(std::abs(state.slope_l), 2 * std::abs(state.slope_g)) / c;
  return state;
}

// The |h| that a share `above` of this process's features (by weight) exceeds.
double upper_quantile(const FeatureMessages& messages, double above) {
  const std::size_t n = messages.linear.size();
  if (n == 0) return 0;
  std::vector<std::size_t> order(n);
  for (std::size_t l = 0; l < n; ++l) order[l] = l;
  const auto size = [&](std::size_t l) { return std::abs(messages.linear[l]); };
  const auto smaller = [&](std::size_t j, std::size_t k) { return size(j) < size(k); };
  if (messages.weight.empty()) {
    const auto at = order.begin() + static_cast<std::ptrdiff_t>((1 - above) * static_cast<double>(n - 1));
    std::nth_element(order.begin(), at, order.end(), smaller);
    return size(*at);
  }
  std::sort(order.begin(), order.end(), smaller);
  double total = 0, passed = 0;
  for (const double w : messages.weight) total += w;
  std::size_t i = n - 1;
  while (i > 0 && (passed += messages.weight[order[i]]) < above * total) --i;
  return size(order[i]);
}

// A start for when there is none: slab as wide as the messages say, odds that put the C-quantile of |h| at even.
PruningPrior cold_start(const FeatureMessages& messages, const PruningConditions& conditions, double floor) {
  const double c = conditions.density;
  double power = 0, count = 0;
  for (std::size_t l = 0; l < messages.linear.size(); ++l) {
    const double w = messages.weight.empty() ? 1 : messages.weight[l];
    power += w * messages.linear[l] * messages.linear[l];
    count += w;
  }
  double sums[] = {power, count, c < 1 ? count * upper_quantile(messages, c) : 0};  // a typical quantile will do
  messages.shards.sum(sums);
  power = sums[0];
  count = sums[1];
  const double precision = conditions.solve_precision ? floor + std::max(1.0, std::sqrt(power / (count * c))) : 1;
  if (c >= 1) return {precision, certain_log_odds};
  const double at = sums[2] / count;
  return {precision, uninformed_prior(c).log_odds + 0.5 * std::log(precision) - 0.5 * at * at / precision};
}

}  // namespace

PruningSolution solve_pruning(const FeatureMessages& messages, const PruningConditions& conditions,
                              const PruningPrior& start) {
  if (!(conditions.density > 0 && conditions.density <= 1))
    throw UsageError(fmt::format("density {} is outside (0, 1]", conditions.density));
  double floor = 0;  // G must stay above this for every B_l to be positive
  for (const double a : messages.precision) floor = std::max(floor, -a);
  if (!messages.shards.alone()) floor = messages.shards.largest(floor);

  PruningPrior prior = start;
  if (conditions.density >= 1) prior.log_odds = certain_log_odds;
  NewtonState state{};
  const bool usable = prior.precision > floor;
  if (usable) state = evaluate(messages, conditions, prior);
  if (!usable || !(state.mismatch < 2)) {
    const double given = prior.precision;
    prior = cold_start(messages, conditions, floor);
    if (!conditions.solve_precision) prior.precision = given;
    state = evaluate(messages, conditions, prior);
  }
  int step = 0;
  constexpr int max_steps = 200;
  constexpr double tolerance = 1e-13;
  while (step < max_steps && state.mismatch > tolerance) {
    ++step;
    // Saturated inclusions flatten Psi: a small ridge and a limit on the step keep Newton in hand.
    const double gg = state.bend_gg * (1 + 1e-13) + 1e-300, ll = state.bend_ll * (1 + 1e-13) + 1e-300;
    const double det = std::max(gg * ll - state.bend_gl * state.bend_gl, 1e-14 * gg * ll);
    double dg = -(ll * state.slope_g - state.bend_gl * state.slope_l) / det;
    double dl = -(gg * state.slope_l - state.bend_gl * state.slope_g) / det;
    double shorten = std::min(1.0, std::max(10.0, std::abs(prior.log_odds)) / std::max(std::abs(dl), 1e-300));
    if (dg < 0) shorten = std::min(shorten, 0.9 * (prior.precision - floor) / -dg);
    if (dg > 0) shorten = std::min(shorten, 9 * (prior.precision - floor) / dg);
    dg *= shorten;
    dl *= shorten;
    const double descent = state.slope_g * dg + state.slope_l * dl;
    bool accepted = false;
    for (double t = 1; t > 1e-12; t *= 0.5) {
      const PruningPrior trial{prior.precision + t * dg, prior.log_odds + t * dl};
      const NewtonState next = evaluate(messages, conditions, trial);
      // Near the minimum Psi no longer resolves the progress that the conditions still make.
      const bool flat = std::abs(next.psi - state.psi) <= 4 * state.resolution && next.mismatch < state.mismatch;
      if (next.psi <= state.psi + 1e-4 * t * descent || flat) {
        accepted = flat || next.psi < state.psi;
        prior = trial;
        state = next;
        break;
      }
    }
    if (!accepted) break;
  }
  return {prior, state.mismatch, step};
}

}  // namespace cavity
