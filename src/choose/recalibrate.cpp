#include "choose/recalibrate.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <vector>

#include "model/normal.hpp"

namespace cavity {

namespace {

constexpr double largest_floor = 0.2;
constexpr double steepest = 8;
// Of the slope's logarithm, before anything is seen: a few samples that all come right would make it as steep as may
// be. Over 20 splits the log loss on new samples falls from 0.459 to 0.444 (colon), 0.106 to 0.102, 0.315 to 0.306.
constexpr double slope_spread = 0.5;
// Evenly spaced, that tell two parameters to a hundredth: the search costs 700 evaluations of each.
constexpr std::size_t most_samples = 20000;

double probit(double p) {
  const double clamped = std::clamp(p, 1e-15, 1 - 1e-15);
  return -boost::math::erfc_inv(2 * clamped) / inv_sqrt_2;
}

constexpr int rounds = 14, steps = 3;      // to either side, of a reach that halves every round
constexpr int candidates = 2 * steps + 1;  // of either parameter
using Candidates = std::array<double, candidates>;

Candidates around(double centre, double reach, double least, double most) {
  Candidates out;
  for (int i = -steps; i <= steps; ++i)
    out[static_cast<std::size_t>(i + steps)] = std::clamp(centre * std::exp(reach * i / steps), least, most);
  return out;
}

/// Log likelihood and the prior of the slope, for every floor: all share the normal's values, most of the cost.
Candidates log_posteriors(const std::vector<double>& z, const Candidates& floors, double slope) {
  const double step = std::log(slope) / slope_spread;
  std::vector<double> right;
  right.reserve(z.size());
  for (const double x : z) right.push_back(normal_cdf(slope * x));
  Candidates out;
  for (std::size_t i = 0; i < floors.size(); ++i) {
    const double floor = floors[i];
    if (i > 0 && floor == floors[i - 1]) {
      out[i] = out[i - 1];
      continue;
    }
    out[i] = -0.5 * step * step;
    for (const double p : right) out[i] += std::log(floor + (1 - 2 * floor) * p);
  }
  return out;
}

}  // namespace

std::optional<Recalibration> fit_recalibration(std::span<const double> log_probability, ThreadPool& pool) {
  std::vector<double> z;
  double before = 0;
  const std::size_t step = (log_probability.size() + most_samples - 1) / most_samples;
  for (std::size_t mu = 0; mu < log_probability.size(); mu += step) {
    z.push_back(probit(std::exp(log_probability[mu])));
    before += log_probability[mu];
  }
  // Two parameters, cheap objective: a grid that closes in on its best point.
  const double count = static_cast<double>(z.size());
  const double smallest_floor = 0.5 / (count + 1);  // one error among so many cannot be excluded
  Recalibration best{smallest_floor, 1};
  Candidates one_floor;
  one_floor.fill(best.floor);
  double best_value = log_posteriors(z, one_floor, best.slope).front();
  double reach_floor = std::log(largest_floor / smallest_floor), reach_slope = std::log(steepest);
  for (int round = 0; round < rounds; ++round) {
    const Candidates floors = around(best.floor, reach_floor, smallest_floor, largest_floor),
                     slopes = around(best.slope, reach_slope, 1 / steepest, steepest);
    std::array<Candidates, candidates> value;  // [slope][floor]
    pool.run(slopes.size(), [&](std::size_t j) { value[j] = log_posteriors(z, floors, slopes[j]); });
    for (std::size_t i = 0; i < floors.size(); ++i)
      for (std::size_t j = 0; j < slopes.size(); ++j)
        if (value[j][i] > best_value) {
          best_value = value[j][i];
          best = {floors[i], slopes[j]};
        }
    reach_floor *= 0.5;
    reach_slope *= 0.5;
  }
  if (best_value - before <= std::log(count)) return std::nullopt;  // two parameters by Schwarz's criterion
  return best;
}

std::vector<double> recalibrated_log_probability(std::vector<double> log_probability, ThreadPool& pool) {
  if (const auto recalibration = fit_recalibration(log_probability, pool))
    recalibrate_log_probability(*recalibration, log_probability);
  return log_probability;
}

void recalibrate_log_probability(const Recalibration& recalibration, std::vector<double>& log_probability) {
  for (double& x : log_probability) x = std::log(recalibrated(recalibration, std::exp(x)));
}

double mixed_probability(const CellMixture& mixture, double sampled, double others) {
  const double weight = mixture.sampled_weight();
  const auto finish = [](const std::optional<Recalibration>& how, double share, double& part) {
    if (how) part = share * recalibrated(*how, part / share);
  };
  finish(mixture.part_recalibration.sampled, weight, sampled);
  finish(mixture.part_recalibration.others, 1 - weight, others);
  const double out = sampled + others;
  return mixture.recalibration ? recalibrated(*mixture.recalibration, out) : out;
}

double recalibrated(const Recalibration& recalibration, double probability) {
  return recalibration.floor + (1 - 2 * recalibration.floor) * normal_cdf(recalibration.slope * probit(probability));
}

}  // namespace cavity
