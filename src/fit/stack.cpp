#include "fit/stack.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/matrix.hpp"
#include "model/negligible.hpp"
#include "search/policies.hpp"

namespace cavity {

namespace {

constexpr int max_rounds = 100;         // a dozen or so are enough
constexpr double settled = 1e-9;        // nats a sample that the best weights would gain, at most
constexpr double ridge = 1e-10;         // of the curvature, for cells that are alike
constexpr double vanishing = 1e-12;     // a weight
constexpr double smallest_step = 1e-6;  // of Newton's

void normalise(std::vector<double>& w) {
  double sum = 0;
  for (const double x : w) sum += x;
  for (auto& x : w) x /= sum;
}

/// The mean of ln mix - sum w, and its slope. Its maximum over w >= 0 has sum 1 by itself.
struct Value {
  Eigen::VectorXd inverse_mix, gain;  // gain_k: mean of g_k/mix
  double value;
};
Value value_at(const Matrix& g, const Eigen::VectorXd& w) {
  Eigen::VectorXd mix(g.cols());
  mix.noalias() = g.transpose() * w;
  const auto samples = static_cast<double>(g.cols());
  const double value = mix.array().log().sum() / samples - w.sum();
  mix = mix.cwiseInverse().eval();
  Eigen::VectorXd gain(g.rows());
  gain.noalias() = g * mix / samples;
  return {std::move(mix), std::move(gain), value};
}

/// The w >= 0 with the least w^T H w/2 - b^T w, from one that may have any entries at zero: those that are not are
/// solved for, and as long as one of the others would help it joins them (Lawson and Hanson 1974).
Eigen::VectorXd least_nonnegative(const Matrix& h, const Eigen::VectorXd& b, Eigen::VectorXd w) {
  const Eigen::Index most = 3 * w.size();
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < w.size(); ++i)
    if (w[i] > 0) free.push_back(i);
  for (Eigen::Index turn = 0; turn < most; ++turn) {
    while (!free.empty()) {
      const Eigen::VectorXd to = h(free, free).ldlt().solve(b(free)), from = w(free);
      double share = 1;
      Eigen::Index first = -1;  // to reach zero on the way
      for (Eigen::Index i = 0; i < to.size(); ++i)
        if (to[i] <= 0 && from[i] / (from[i] - to[i]) < share) {
          share = from[i] / (from[i] - to[i]);
          first = i;
        }
      w(free) = from + share * (to - from);
      if (first < 0) break;
      w[free[static_cast<std::size_t>(first)]] = 0;
      std::erase_if(free, [&](Eigen::Index i) {
        const bool out = !(w[i] > vanishing);
        if (out) w[i] = 0;
        return out;
      });
    }
    Eigen::Index best;
    Eigen::VectorXd slope = b - h * w;
    for (const Eigen::Index i : free) slope[i] = 0;
    if (slope.maxCoeff(&best) < settled) break;
    free.push_back(best);
  }
  return w;
}

/// Newton's method; a step is halved until it gains. Cells that are alike share what they have together.
Eigen::VectorXd most_likely_weights(const Matrix& g) {
  Eigen::VectorXd w = Eigen::VectorXd::Constant(g.rows(), 1.0 / static_cast<double>(g.rows()));
  Value at = value_at(g, w);
  for (int round = 0; round < max_rounds && at.gain.maxCoeff() > 1 + settled; ++round) {
    const Matrix scaled = g * at.inverse_mix.asDiagonal();
    Matrix h = scaled * scaled.transpose() / static_cast<double>(g.cols());
    h.diagonal().array() += ridge * h.trace();
    const Eigen::VectorXd aim = least_nonnegative(h, h * w + at.gain - Eigen::VectorXd::Ones(w.size()), w);
    Value next = value_at(g, aim);
    Eigen::VectorXd to = aim;
    for (double share = 0.5; !(next.value > at.value) && share > smallest_step; share /= 2) {
      to = w + share * (aim - w);
      next = value_at(g, to);
    }
    if (!(next.value > at.value)) break;
    w = std::move(to);
    at = std::move(next);
  }
  return w;
}

}  // namespace

std::vector<double> stacking_weights(const std::vector<std::vector<double>>& log_probability) {
  const std::size_t cells = log_probability.size();
  if (cells == 0) throw std::invalid_argument("stacking needs at least one cell");
  const std::size_t all = log_probability.front().size(),
                    step = std::max<std::size_t>(1, (all + most_telling_samples - 1) / most_telling_samples);
  const std::size_t samples = (all + step - 1) / step;
  // Each sample's probabilities relative to its best cell: nothing underflows.
  Matrix g(static_cast<Eigen::Index>(cells), static_cast<Eigen::Index>(samples));
  for (std::size_t mu = 0; mu < samples; ++mu) {
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < cells; ++k) top = std::max(top, log_probability[k][mu * step]);
    for (std::size_t k = 0; k < cells; ++k)
      g(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(mu)) = std::exp(log_probability[k][mu * step] - top);
  }
  const Eigen::VectorXd w = most_likely_weights(g);
  std::vector<double> out(cells, 0);
  for (std::size_t k = 0; k < cells; ++k)
    if (const double x = w[static_cast<Eigen::Index>(k)]; x >= (policies().smallest_weight ? negligible : 0))
      out[k] = x;
  normalise(out);
  return out;
}

std::vector<double> cross_fitted_log_probability(const std::vector<std::vector<double>>& log_probability,
                                                 const SampleGroups* groups) {
  const std::size_t samples = log_probability.front().size();
  std::vector<double> out(samples);
  for (std::size_t fold = 0; fold < std::min(stacking_folds, groups ? groups->count() : samples); ++fold) {
    std::vector<std::vector<double>> others(log_probability.size());
    for (std::size_t k = 0; k < log_probability.size(); ++k)
      for (std::size_t mu = 0; mu < samples; ++mu)
        if (stacking_fold(mu, groups) != fold) others[k].push_back(log_probability[k][mu]);
    const std::vector<double> mixed = mixed_log_probability(log_probability, stacking_weights(others));
    for (std::size_t mu = 0; mu < samples; ++mu)
      if (stacking_fold(mu, groups) == fold) out[mu] = mixed[mu];
  }
  return out;
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
