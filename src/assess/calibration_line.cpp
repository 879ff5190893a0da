#include "assess/calibration_line.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace cavity {

namespace {

constexpr double prior_precision = 0.01, least = 1e-12;

double log_odds(double p) {
  p = std::clamp(p, least, 1 - least);
  return std::log(p / (1 - p));
}

double logistic(double f) { return 1 / (1 + std::exp(-f)); }

/// a, b of logit P = a + b f; b stays where it is unless `slope`.
struct Line {
  Eigen::Vector2d at{0, 1};
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();
};

struct Curvature {
  double value;  // minus the log posterior
  Eigen::Vector2d gradient;
  Eigen::Matrix2d hessian;
};

Curvature curvature(const std::vector<double>& field, std::span<const std::int8_t> labels, const Eigen::Vector2d& at) {
  const Eigen::Vector2d from(0, 1);
  Curvature out{0.5 * prior_precision * (at - from).squaredNorm(), prior_precision * (at - from),
                prior_precision * Eigen::Matrix2d::Identity()};
  for (std::size_t i = 0; i < field.size(); ++i) {
    const Eigen::Vector2d x(1, field[i]);
    const double f = at.dot(x), p = logistic(f), y = labels[i] > 0 ? 1 : 0;
    out.value += std::max(f, 0.0) + std::log1p(std::exp(-std::abs(f))) - y * f;
    out.gradient += (p - y) * x;
    out.hessian += p * (1 - p) * x * x.transpose();
  }
  return out;
}

Line fit_line(const std::vector<double>& field, std::span<const std::int8_t> labels, bool slope) {
  Line out;
  Curvature here = curvature(field, labels, out.at);
  for (int step = 0; step < 100; ++step) {
    Eigen::Vector2d move = -here.hessian.ldlt().solve(here.gradient);
    if (!slope) move = {-here.gradient[0] / here.hessian(0, 0), 0};
    Curvature next = curvature(field, labels, out.at + move);
    for (int half = 0; half < 40 && !(next.value <= here.value); ++half) {
      move *= 0.5;
      next = curvature(field, labels, out.at + move);
    }
    out.at += move;
    here = next;
    if (move.cwiseAbs().maxCoeff() < 1e-10) break;
  }
  if (slope)
    out.covariance = here.hessian.inverse();
  else
    out.covariance(0, 0) = 1 / here.hessian(0, 0);
  return out;
}

}  // namespace

CalibrationLine calibration_line(std::span<const double> probability, std::span<const std::int8_t> labels) {
  if (probability.size() != labels.size()) throw std::invalid_argument("as many probabilities as labels are needed");
  std::vector<double> field;
  for (const double p : probability) field.push_back(log_odds(p));
  const Line shift = fit_line(field, labels, false), both = fit_line(field, labels, true);
  return {{shift.at[0], std::sqrt(shift.covariance(0, 0))},
          {both.at[0], std::sqrt(both.covariance(0, 0))},
          {both.at[1], std::sqrt(both.covariance(1, 1))}};
}

std::vector<CalibrationBin> calibration_curve(std::span<const double> probability, std::span<const std::int8_t> labels,
                                              std::size_t most_bins) {
  constexpr std::size_t fewest = 10;
  std::vector<std::size_t> order(probability.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return probability[i]; });
  const std::size_t bins = std::clamp<std::size_t>(order.size() / fewest, 1, most_bins);
  std::vector<CalibrationBin> out;
  for (std::size_t b = 0; b < bins && !order.empty(); ++b) {
    const std::size_t first = b * order.size() / bins, end = (b + 1) * order.size() / bins;
    CalibrationBin bin;
    bin.samples = end - first;
    const auto count = static_cast<double>(bin.samples);
    for (std::size_t k = first; k < end; ++k) {
      bin.stated += probability[order[k]] / count;
      bin.came += (labels[order[k]] > 0 ? 1 : 0) / count;
    }
    bin.interval = wilson_interval(bin.came, count);
    out.push_back(bin);
  }
  return out;
}

}  // namespace cavity
