#include "select/stack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace cavity {

namespace {

constexpr int max_rounds = 5000;
constexpr double settled = 1e-10;         // largest change of a weight
constexpr double smallest_weight = 1e-3;  // lighter cells are dropped: they cost memory and change nothing

void normalise(std::vector<double>& w) {
  double sum = 0;
  for (const double x : w) sum += x;
  for (auto& x : w) x /= sum;
}

}  // namespace

std::vector<double> stacking_weights(const std::vector<std::vector<double>>& log_probability) {
  const std::size_t cells = log_probability.size();
  if (cells == 0) throw std::invalid_argument("stacking needs at least one cell");
  const std::size_t samples = log_probability.front().size();
  // Each sample's probabilities relative to its best cell: nothing underflows.
  std::vector<double> g(cells * samples);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < cells; ++k) top = std::max(top, log_probability[k][mu]);
    for (std::size_t k = 0; k < cells; ++k) g[k * samples + mu] = std::exp(log_probability[k][mu] - top);
  }
  std::vector<double> w(cells, 1.0 / static_cast<double>(cells)), next(cells), mix(samples);
  for (int round = 0; round < max_rounds; ++round) {
    std::fill(mix.begin(), mix.end(), 0);
    for (std::size_t k = 0; k < cells; ++k)
      for (std::size_t mu = 0; mu < samples; ++mu) mix[mu] += w[k] * g[k * samples + mu];
    double change = 0;
    for (std::size_t k = 0; k < cells; ++k) {
      double sum = 0;
      for (std::size_t mu = 0; mu < samples; ++mu) sum += g[k * samples + mu] / mix[mu];
      next[k] = w[k] * sum / static_cast<double>(samples);
      change = std::max(change, std::abs(next[k] - w[k]));
    }
    w = next;
    if (change < settled) break;
  }
  for (auto& x : w)
    if (x < smallest_weight) x = 0;
  normalise(w);
  return w;
}

std::vector<double> mixed_log_probability(const std::vector<std::vector<double>>& log_probability,
                                          std::span<const double> weight) {
  std::vector<double> out(log_probability.front().size());
  for (std::size_t mu = 0; mu < out.size(); ++mu) {
    double sum = 0;
    for (std::size_t k = 0; k < log_probability.size(); ++k) sum += weight[k] * std::exp(log_probability[k][mu]);
    out[mu] = std::log(std::max(sum, std::numeric_limits<double>::min()));
  }
  return out;
}

}  // namespace cavity
