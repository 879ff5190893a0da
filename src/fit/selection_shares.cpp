#include "fit/selection_shares.hpp"

#include <algorithm>
#include <cmath>

#include "model/normal.hpp"

namespace cavity {

namespace {

constexpr std::size_t steps = 80;     // of the message's deviation, from -reach to reach
constexpr double reach = 5;           // standard deviations
constexpr int threshold_rounds = 60;  // bisections

double deviation_at(std::size_t i) { return reach * (2 * static_cast<double>(i) / steps - 1); }

/// Inclusion of one feature as a function of its message, piecewise linear, and the share of halves in each piece.
struct Profile {
  std::vector<double> inclusion;  // at steps + 1 deviations

  /// Share of the halves where it is above the threshold, and the sum of 1 - inclusion there.
  struct Beyond {
    double share = 0, false_share = 0;
  };
  Beyond beyond(double threshold, const std::vector<double>& mass) const {
    Beyond out;
    for (std::size_t i = 0; i < steps; ++i) {
      const double low = std::min(inclusion[i], inclusion[i + 1]), high = std::max(inclusion[i], inclusion[i + 1]);
      if (high <= threshold) continue;
      const double part = low >= threshold ? 1 : (high - threshold) / (high - low);
      out.share += part * mass[i];
      out.false_share += part * mass[i] * (1 - 0.5 * (high + std::max(low, threshold)));
    }
    return out;
  }
};

std::vector<Profile> profiles_of(const std::vector<HalfAverage>& cells, const std::vector<double>& weight) {
  std::vector<Profile> out(cells.front().linear.size());
  for (std::size_t l = 0; l < out.size(); ++l) {
    out[l].inclusion.assign(steps + 1, 0);
    for (std::size_t i = 0; i <= steps; ++i)
      for (std::size_t k = 0; k < cells.size(); ++k)
        out[l].inclusion[i] += weight[k] * inclusion_at(cells[k], l, deviation_at(i));
  }
  return out;
}

/// The lowest threshold at which halves select as few, or as few false ones, as the rule wants.
double find_threshold(const std::vector<Profile>& profiles, const std::vector<double>& mass,
                      const SelectionRule& rule) {
  const auto too_many = [&](double threshold) {
    Profile::Beyond all;
    for (const Profile& profile : profiles) {
      const Profile::Beyond one = profile.beyond(threshold, mass);
      all.share += one.share;
      all.false_share += one.false_share;
    }
    return rule.rate ? all.false_share > *rule.rate * all.share : all.share > rule.selected;
  };
  double low = 0, high = 1;
  for (int round = 0; round < threshold_rounds; ++round) {
    const double middle = 0.5 * (low + high);
    (too_many(middle) ? low : high) = middle;
  }
  return high;
}

}  // namespace

SelectionShares selection_shares(const std::vector<HalfAverage>& cells, const std::vector<double>& weight,
                                 const SelectionRule& rule) {
  const std::vector<Profile> profiles = profiles_of(cells, weight);
  std::vector<double> mass(steps);  // what lies beyond the reach belongs to the last piece
  for (std::size_t i = 0; i < steps; ++i)
    mass[i] = (i + 1 == steps ? 1 : normal_cdf(deviation_at(i + 1))) - (i == 0 ? 0 : normal_cdf(deviation_at(i)));
  const double threshold = find_threshold(profiles, mass, rule);
  SelectionShares out;
  for (const Profile& profile : profiles) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      const double p = 0.5 * (profile.inclusion[i] + profile.inclusion[i + 1]);
      mean += mass[i] * p;
      square += mass[i] * p * p;
    }
    out.mean.push_back(mean);
    out.sd.push_back(std::sqrt(std::max(square - mean * mean, 0.0)));
    out.share.push_back(profile.beyond(threshold, mass).share);
  }
  return out;
}

}  // namespace cavity
