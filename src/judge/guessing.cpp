// Sign test: gained against lost are throws of a fair coin. In a population with shares s the errors of guess and
// classifier differ by sum_other s_other gained/n_other - s_guess lost/n_guess, independent shares, whose variance is
// taken at (k+1)/(n+2) so that it is not 0 where a share is 0 or 1.
#include "judge/guessing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

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
Share share_of(double weight, std::size_t hits, std::size_t count) {
  const auto n = static_cast<double>(count), k = static_cast<double>(hits), p = (k + 1) / (n + 2);
  return {weight * k / n, weight * weight * p * (1 - p) / n};
}

double sign_test(std::size_t gained, std::size_t lost) {
  return std::min(1.0, 2 * coin_tail(std::min(gained, lost), gained + lost));
}

double normal_test(double difference, double variance) {
  return std::erfc(std::abs(difference) / std::sqrt(2 * variance));
}

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
                                 const std::optional<std::array<double, 2>>& population) {
  std::array<std::size_t, 2> counts{};
  for (const auto y : labels) ++counts[y > 0 ? 1 : 0];
  const std::size_t guess = best_guess(counts, population).of_class;
  AgainstGuessing out;
  for (std::size_t i = 0; i < probability.size(); ++i) {
    const bool right = (probability[i] >= 0.5) == (labels[i] > 0);
    const bool guessed = (labels[i] > 0 ? 1U : 0U) == guess;
    out.gained += right && !guessed ? 1 : 0;
    out.lost += !right && guessed ? 1 : 0;
  }
  if (population) {
    const Share gain = share_of((*population)[1 - guess], out.gained, counts[1 - guess]);
    const Share loss = share_of((*population)[guess], out.lost, counts[guess]);
    out.p_value = normal_test(gain.value - loss.value, gain.variance + loss.variance);
  } else {
    out.p_value = sign_test(out.gained, out.lost);
  }
  return out;
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

AgainstGuessing against_several_guess(const std::vector<std::size_t>& confusion, const std::vector<std::size_t>& counts,
                                      const std::vector<double>& shares) {
  const std::size_t classes = counts.size();
  const std::size_t guess = several_guess(counts, shares).of_class;
  AgainstGuessing out;
  double difference = 0, variance = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    const std::size_t right = confusion[k * classes + k], hits = k == guess ? counts[k] - right : right;
    (k == guess ? out.lost : out.gained) += hits;
    if (shares.empty()) continue;
    const Share share = share_of(shares[k], hits, counts[k]);
    difference += k == guess ? -share.value : share.value;
    variance += share.variance;
  }
  out.p_value = shares.empty() ? sign_test(out.gained, out.lost) : normal_test(difference, variance);
  return out;
}

}  // namespace cavity
