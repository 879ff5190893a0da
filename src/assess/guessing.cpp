// Sign test: gained against lost are throws of a fair coin. In a population with shares s the errors of guess and
// classifier differ by sum_other s_other gained/n_other - s_guess lost/n_guess, independent shares, whose variance is
// taken at (k+1)/(n+2) so that it is not 0 where a share is 0 or 1. Samples of a group are one throw; of the shares, n
// is the number of independent samples that know them as well.
#include "assess/guessing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>
#include <numeric>
#include <vector>

#include "assess/effective_count.hpp"

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

Guess best_guess(std::span<const std::size_t> counts, std::span<const double> shares) {
  const std::size_t samples = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const auto all = static_cast<double>(samples);
  std::vector<double> share(shares.begin(), shares.end());
  for (std::size_t k = share.size(); k < counts.size(); ++k) share.push_back(static_cast<double>(counts[k]) / all);
  share[0] = 1 - std::accumulate(share.begin() + 1, share.end(), 0.0);
  Guess out{0, 2, 0, 0};
  double before = 0;  // shares of the classes before, of which a pair with this one differs
  for (std::size_t k = 0; k < counts.size(); ++k) {
    double error = static_cast<double>(samples - counts[k]) / all;
    if (!shares.empty()) error = std::accumulate(shares.begin(), shares.end(), 0.0) - shares[k];
    if (error <= out.error) {
      out.of_class = k;
      out.error = error;
    }
    out.brier += before * share[k];
    before += share[k];
    out.log_loss += entropy(share[k]);
  }
  return out;
}

AgainstGuessing against_guessing(std::span<const std::uint32_t> called, std::span<const std::uint32_t> classes,
                                 std::size_t guess, std::span<const double> shares,
                                 std::span<const std::size_t> group_of) {
  std::vector<int> net;
  for (std::size_t i = 0; i < classes.size(); ++i) net.push_back(net_of(called[i] == classes[i], classes[i] == guess));
  const std::vector<std::size_t> of_class(classes.begin(), classes.end());
  return judge({net, of_class, group_of}, shares);
}

}  // namespace cavity
