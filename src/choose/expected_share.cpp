#include "choose/expected_share.hpp"

#include <algorithm>
#include <cmath>

namespace cavity {

namespace {

// Of w: 0, the middles of as many intervals as there are between, and 1. The integral is good to 1e-4 or so.
constexpr std::size_t values = 52;

double share_at(std::size_t i) {
  if (i == 0) return 0;
  return i + 1 == values ? 1 : (static_cast<double>(i) - 0.5) / static_cast<double>(values - 2);
}

// Up to a factor.
constexpr double first_alone = 10, second_alone = 1, in_part = 5;

double prior_at(std::size_t i) {
  if (i == 0) return first_alone;
  return i + 1 == values ? second_alone : in_part / static_cast<double>(values - 2);
}

}  // namespace

ExpectedShare::ExpectedShare(std::span<const double> first, std::span<const double> second)
    : samples_(first.size()), total_(values) {
  log_mix_.reserve(samples_ * values);
  for (std::size_t mu = 0; mu < samples_; ++mu) {
    const double p = std::exp(first[mu]), q = std::exp(second[mu]);
    for (std::size_t i = 0; i < values; ++i) {
      log_mix_.push_back(std::log((1 - share_at(i)) * p + share_at(i) * q));
      total_[i] += log_mix_.back();
    }
  }
}

double ExpectedShare::of_all() const { return mean(total_); }

double ExpectedShare::mean(std::span<const double> log_likelihood) {
  const double top = *std::max_element(log_likelihood.begin(), log_likelihood.end());
  double sum = 0, first = 0;
  for (std::size_t i = 0; i < values; ++i) {
    const double likelihood = prior_at(i) * std::exp(log_likelihood[i] - top);
    sum += likelihood;
    first += likelihood * share_at(i);
  }
  return first / sum;
}

}  // namespace cavity
