#include "choose/stack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/matrix.hpp"

namespace cavity {

namespace {

constexpr int max_rounds = 1000;
constexpr double settled = 1e-10;            // largest change of a weight
constexpr std::size_t most_samples = 20000;  // evenly spaced: they tell the weights better than these matter
constexpr double smallest_weight = 0.02;     // lighter cells are dropped: they cost time and memory and change nothing

void normalise(std::vector<double>& w) {
  double sum = 0;
  for (const double x : w) sum += x;
  for (auto& x : w) x /= sum;
}

// Cells that are far below the smallest weight and still losing.
void drop_lost(const Eigen::VectorXd& gain, Eigen::VectorXd& w, Matrix& g, std::vector<std::size_t>& cell) {
  std::vector<Eigen::Index> keep;
  for (Eigen::Index i = 0; i < w.size(); ++i)
    if (w[i] > 1e-4 * smallest_weight || gain[i] >= 1) keep.push_back(i);
  if (keep.size() == cell.size()) return;
  w = w(keep).eval();
  g = g(keep, Eigen::all).eval();
  for (std::size_t i = 0; i < keep.size(); ++i) cell[i] = cell[static_cast<std::size_t>(keep[i])];
  cell.resize(keep.size());
}

/// w_k <- w_k mean_mu g_k/mix, the step of EM, and what it starts from is worth: the mean of ln mix.
struct Step {
  Eigen::VectorXd gain, to;
  double value;
};
Step em_step(const Matrix& g, const Eigen::VectorXd& w) {
  Eigen::VectorXd mix(g.cols());
  mix.noalias() = g.transpose() * w;
  const auto samples = static_cast<double>(g.cols());
  const double value = mix.array().log().sum() / samples;
  mix = mix.cwiseInverse().eval();
  Eigen::VectorXd gain(g.rows());
  gain.noalias() = g * mix;
  gain /= samples;
  return {gain, w.cwiseProduct(gain), value};
}

/// Two steps of EM continued to where they lead (SQUAREM, Varadhan and Roland 2008): EM alone creeps where cells are
/// alike.
Eigen::VectorXd leap(const Eigen::VectorXd& from, const Eigen::VectorXd& once, const Eigen::VectorXd& twice) {
  const Eigen::VectorXd r = once - from, v = twice - once - r;
  const double length = v.norm() > 0 ? std::max(1.0, r.norm() / v.norm()) : 1.0;
  Eigen::VectorXd out = from + 2 * length * r + length * length * v;
  const double least = 0.1;  // of what EM leaves: a cell that is not lost yet must be able to come back
  out = out.cwiseMax(least * twice);
  return out / out.sum();
}

/// `cell` keeps the names of the rows that are left.
Eigen::VectorXd most_likely_weights(Matrix g, std::vector<std::size_t>& cell) {
  Eigen::VectorXd w = Eigen::VectorXd::Constant(g.rows(), 1.0 / static_cast<double>(g.rows()));
  for (int round = 0; round < max_rounds; ++round) {
    const Step first = em_step(g, w);
    if ((first.to - w).cwiseAbs().maxCoeff() < settled) break;
    const Step second = em_step(g, first.to);
    const Eigen::VectorXd ahead = leap(w, first.to, second.to);
    const Step third = em_step(g, ahead);
    const bool better = third.value >= second.value;
    w = better ? third.to : second.to;
    if (round % 20 == 19) drop_lost(better ? third.gain : second.gain, w, g, cell);
  }
  return w;
}

}  // namespace

std::vector<double> stacking_weights(const std::vector<std::vector<double>>& log_probability) {
  const std::size_t cells = log_probability.size();
  if (cells == 0) throw std::invalid_argument("stacking needs at least one cell");
  const std::size_t all = log_probability.front().size(),
                    step = std::max<std::size_t>(1, (all + most_samples - 1) / most_samples);
  const std::size_t samples = (all + step - 1) / step;
  // Each sample's probabilities relative to its best cell: nothing underflows.
  Matrix g(static_cast<Eigen::Index>(cells), static_cast<Eigen::Index>(samples));
  for (std::size_t mu = 0; mu < samples; ++mu) {
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < cells; ++k) top = std::max(top, log_probability[k][mu * step]);
    for (std::size_t k = 0; k < cells; ++k)
      g(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(mu)) = std::exp(log_probability[k][mu * step] - top);
  }
  std::vector<std::size_t> cell(cells);
  std::iota(cell.begin(), cell.end(), 0);
  const Eigen::VectorXd w = most_likely_weights(std::move(g), cell);
  std::vector<double> out(cells, 0);
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const double x = w[static_cast<Eigen::Index>(i)];
    if (x >= smallest_weight) out[cell[i]] = x;
  }
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
