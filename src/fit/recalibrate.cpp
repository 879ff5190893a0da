#include "fit/recalibrate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fit/stack.hpp"
#include "model/negligible.hpp"
#include "model/normal.hpp"

namespace cavity {

namespace {

// Before anything is seen: probabilities are right as they are, three times as likely as not; otherwise ln t is
// Gaussian, and ln k uniform between a twentieth of an error among all samples and a fifth of them.
constexpr double odds_as_they_are = 3;
constexpr double slope_spread = 0.5;
constexpr double least_errors = 0.05, largest_floor = 0.2;

double away_from_certain(double p) { return std::clamp(p, 1e-15, 1 - 1e-15); }

double probit(double p) { return normal_quantile(away_from_certain(p)); }

/// Intervals of a parameter's logarithm, by their middles.
struct Axis {
  double low, high;
  std::size_t count;

  double step() const { return (high - low) / static_cast<double>(count); }
  double at(std::size_t i) const { return low + (static_cast<double>(i) + 0.5) * step(); }

  /// The part that has next to all of the mass, where that is less than half; ln of the mass an interval.
  Axis narrowed(const std::vector<double>& log_mass) const {
    constexpr double next_to_none = -14;
    const double top = *std::ranges::max_element(log_mass);
    std::size_t first = 0, last = count;
    while (log_mass[first] < top + next_to_none) ++first;
    while (log_mass[last - 1] < top + next_to_none) --last;
    if (2 * (last - first) >= count) return *this;
    return {low + static_cast<double>(first) * step(), low + static_cast<double>(last) * step(), count};
  }
  bool operator==(const Axis&) const = default;
};

/// Of ln t and ln k, given that probabilities are not right as they are.
class Recalibrations {
 public:
  Recalibrations(std::span<const double> log_probability, ThreadPool& pool) : pool_(pool) {
    const std::size_t step = (log_probability.size() + most_telling_samples - 1) / most_telling_samples;
    for (std::size_t mu = 0; mu < log_probability.size(); mu += step) {
      const double p = std::exp(log_probability[mu]);
      z_.push_back(probit(p));
      as_they_are_ += std::log(away_from_certain(p));
    }
    floors_.low = std::log(least_errors / (static_cast<double>(z_.size()) + 1));
    floor_range_ = floors_.high - floors_.low;
    look();
  }

  /// Expectations, to which "as they are" contributes ln t = 0 and k = 0.
  std::optional<Recalibration> mean() const {
    double top = std::log(odds_as_they_are);
    for (const auto& row : log_mass_) top = std::max(top, *std::ranges::max_element(row));
    double sum = 0, log_slope = 0, floor = 0;
    for (std::size_t i = 0; i < slopes_.count; ++i)
      for (std::size_t j = 0; j < floors_.count; ++j) {
        const double mass = std::exp(log_mass_[i][j] - top);
        sum += mass;
        log_slope += mass * slopes_.at(i);
        floor += mass * std::exp(floors_.at(j));
      }
    const double all = sum + odds_as_they_are * std::exp(-top);
    if (sum < negligible * all) return std::nullopt;
    return Recalibration{floor / all, std::exp(log_slope / all)};
  }

 private:
  /// Many samples leave most intervals without mass: the others are then divided again.
  void look() {
    constexpr int most_rounds = 6;
    for (int round = 0;; ++round) {
      log_mass_.assign(slopes_.count, std::vector<double>(floors_.count));
      pool_.run(slopes_.count, [&](std::size_t i) { weigh(slopes_.at(i), log_mass_[i]); });
      std::vector<double> of_slope, of_floor = log_mass_.front();
      for (const auto& row : log_mass_) {
        of_slope.push_back(*std::ranges::max_element(row));
        for (std::size_t j = 0; j < row.size(); ++j) of_floor[j] = std::max(of_floor[j], row[j]);
      }
      const Axis slopes = slopes_.narrowed(of_slope), floors = floors_.narrowed(of_floor);
      if (round == most_rounds || (slopes == slopes_ && floors == floors_)) return;
      slopes_ = slopes;
      floors_ = floors;
    }
  }

  /// All floors share the normal's values.
  void weigh(double log_slope, std::vector<double>& log_mass) const {
    const double slope = std::exp(log_slope), deviation = log_slope / slope_spread;
    std::vector<double> right;
    right.reserve(z_.size());
    for (const double z : z_) right.push_back(normal_cdf(slope * z));
    const double density = inv_sqrt_2pi / slope_spread * slopes_.step() * floors_.step() / floor_range_;
    for (std::size_t j = 0; j < log_mass.size(); ++j) {
      const double floor = std::exp(floors_.at(j));
      log_mass[j] = std::log(density) - 0.5 * deviation * deviation - as_they_are_;
      for (const double p : right) log_mass[j] += std::log(floor + (1 - 2 * floor) * p);
    }
  }

  ThreadPool& pool_;
  std::vector<double> z_;
  double as_they_are_ = 0, floor_range_ = 0;  // the former a log likelihood
  // As far as the prior's quantiles are numbers.
  Axis slopes_{slope_spread * probit(0), slope_spread*probit(1), 32}, floors_{0, std::log(largest_floor), 16};
  std::vector<std::vector<double>> log_mass_;  // slopes x floors, of intervals, likelihoods over that as they are
};

}  // namespace

std::optional<Recalibration> fit_recalibration(std::span<const double> log_probability, ThreadPool& pool) {
  return Recalibrations(log_probability, pool).mean();
}

std::vector<double> recalibrated_log_probability(std::vector<double> log_probability, ThreadPool& pool) {
  if (const auto recalibration = fit_recalibration(log_probability, pool))
    recalibrate_log_probability(*recalibration, log_probability);
  return log_probability;
}

std::vector<double> cross_recalibrated_log_probability(std::vector<double> log_probability, const Recalibration& of_all,
                                                       const SampleGroups* groups, ThreadPool& pool) {
  constexpr std::size_t many = 500;
  if (log_probability.size() > many) {
    recalibrate_log_probability(of_all, log_probability);
    return log_probability;
  }
  std::vector<double> out = log_probability;
  for (std::size_t fold = 0; fold < stacking_folds; ++fold) {
    const auto held_out = [&](std::size_t mu) { return stacking_fold(mu, groups) == fold; };
    std::vector<double> others;
    for (std::size_t mu = 0; mu < out.size(); ++mu)
      if (!held_out(mu)) others.push_back(log_probability[mu]);
    const auto recalibration = fit_recalibration(others, pool);
    for (std::size_t mu = 0; recalibration && mu < out.size(); ++mu)
      if (held_out(mu)) out[mu] = std::log(recalibrated(*recalibration, std::exp(log_probability[mu])));
  }
  return out;
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
  return sampled + others;
}

double recalibrated(const Recalibration& recalibration, double probability) {
  return recalibration.floor + (1 - 2 * recalibration.floor) * normal_cdf(recalibration.slope * probit(probability));
}

}  // namespace cavity
