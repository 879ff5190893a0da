// Sign test: gained against lost are throws of a fair coin. In a population with shares s the errors of guess and
// classifier differ by sum_other s_other gained/n_other - s_guess lost/n_guess, independent shares, whose variance is
// taken at (k+1)/(n+2) so that it is not 0 where a share is 0 or 1. Samples of a group are one throw; of the shares, n
// is the number of independent samples that know them as well.
#include "judge/guessing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>
#include <numeric>

#include "judge/effective_count.hpp"

namespace cavity {

namespace {

/// P(at most `heads` of n throws of a fair coin).
double coin_tail(std::size_t heads, std::size_t n) {
  double term = -static_cast<double>(n) * std::numbers::ln2, tail = 0;  // ln C(n, 0) / 2^n
  for (std::size_t k = 0; k <= heads; ++k) {
    tail += std::exp(term);
    term += std::log(static_cast<double>(n - k) / static_cast<double>(k + 1));
  }
  return std::min(tail, 1.0);
}

struct Share {
  double value, variance;
};
/// Of hits among samples of which `count` are independent.
Share share_of(double weight, double share, double count) {
  const double p = (share * count + 1) / (count + 2);
  return {weight * share, weight * weight * p * (1 - p) / count};
}

double sign_test(std::size_t gained, std::size_t lost) {
  return std::min(1.0, 2 * coin_tail(std::min(gained, lost), gained + lost));
}

double normal_test(double difference, double variance) {
  return std::erfc(std::abs(difference) / std::sqrt(2 * variance));
}

/// What a sample has by the classifier: 1 right where the guess is wrong, -1 the other way round.
struct Outcomes {
  std::span<const int> net;
  std::span<const std::size_t> of_class, group_of;
};

/// A group is one throw, of what more of its samples say.
double sign_test(const Outcomes& all) {
  std::map<std::size_t, int> sums;
  for (std::size_t i = 0; i < all.net.size(); ++i) sums[all.group_of.empty() ? i : all.group_of[i]] += all.net[i];
  std::size_t gained = 0, lost = 0;
  for (const auto& [group, sum] : sums) {
    gained += sum > 0 ? 1 : 0;
    lost += sum < 0 ? 1 : 0;
  }
  return sign_test(gained, lost);
}

double weighted_test(const Outcomes& all, std::span<const double> shares) {
  double difference = 0, variance = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    std::vector<double> hits;
    std::vector<std::size_t> group_of;
    double net = 0;
    for (std::size_t i = 0; i < all.net.size(); ++i) {
      if (all.of_class[i] != k) continue;
      hits.push_back(std::abs(all.net[i]));
      net += all.net[i];
      if (!all.group_of.empty()) group_of.push_back(all.group_of[i]);
    }
    const auto samples = static_cast<double>(hits.size());
    const Share share = share_of(shares[k], std::abs(net) / samples, effective_count(hits, group_of));
    difference += net < 0 ? -share.value : share.value;
    variance += share.variance;
  }
  return normal_test(difference, variance);
}

AgainstGuessing judge(const Outcomes& all, std::span<const double> shares) {
  AgainstGuessing out;
  out.gained = static_cast<std::size_t>(std::ranges::count(all.net, 1));
  out.lost = static_cast<std::size_t>(std::ranges::count(all.net, -1));
  out.p_value = shares.empty() ? sign_test(all) : weighted_test(all, shares);
  return out;
}

/// Right where the guess is wrong, or the other way round.
int net_of(bool right, bool guessed) { return right && !guessed ? 1 : !right && guessed ? -1 : 0; }

double entropy(double share) { return share > 0 ? -share * std::log(share) : 0; }

}  // namespace

Guess best_guess(const std::array<std::size_t, 2>& counts, const std::optional<std::array<double, 2>>& population) {
  const auto negative = static_cast<double>(counts[0]), positive = static_cast<double>(counts[1]);
  const double share = population ? (*population)[1] : positive / (negative + positive);
  return {std::size_t{share >= 0.5},
          population ? std::min(share, 1 - share) : std::min(positive, negative) / (negative + positive),
          share * (1 - share), entropy(share) + entropy(1 - share)};
}

AgainstGuessing against_guessing(std::span<const double> probability, std::span<const std::int8_t> labels,
                                 const std::optional<std::array<double, 2>>& population,
                                 std::span<const std::size_t> group_of) {
  std::array<std::size_t, 2> counts{};
  for (const auto y : labels) ++counts[y > 0 ? 1 : 0];
  const std::size_t guess = best_guess(counts, population).of_class;
  std::vector<int> net;
  std::vector<std::size_t> of_class;
  for (std::size_t i = 0; i < probability.size(); ++i) {
    of_class.push_back(labels[i] > 0 ? 1 : 0);
    net.push_back(net_of((probability[i] >= 0.5) == (labels[i] > 0), of_class.back() == guess));
  }
  return judge({net, of_class, group_of},
               population ? std::span<const double>(*population) : std::span<const double>());
}

Guess several_guess(const std::vector<std::size_t>& counts, const std::vector<double>& shares) {
  const auto samples = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  Guess out{0, 1, 0.5, 0};
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double share = shares.empty() ? static_cast<double>(counts[k]) / samples : shares[k];
    if (1 - share < out.error) {
      out.of_class = k;
      out.error = 1 - share;
    }
    out.brier -= 0.5 * share * share;
    out.log_loss += entropy(share);
  }
  return out;
}

AgainstGuessing against_several_guess(std::span<const std::uint32_t> called, std::span<const std::uint32_t> classes,
                                      const std::vector<double>& shares, std::span<const std::size_t> group_of) {
  std::vector<std::size_t> counts(1 + *std::ranges::max_element(classes), 0);
  for (const std::uint32_t k : classes) ++counts[k];
  const std::size_t guess = several_guess(counts, shares).of_class;
  std::vector<int> net;
  for (std::size_t i = 0; i < classes.size(); ++i) net.push_back(net_of(called[i] == classes[i], classes[i] == guess));
  const std::vector<std::size_t> of_class(classes.begin(), classes.end());
  return judge({net, of_class, group_of}, shares);
}

}  // namespace cavity
