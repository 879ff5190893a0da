#include "select/feature_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cavity {

namespace {

constexpr std::size_t most_candidates = 400;
constexpr double noticeable = 0.01;  // inclusion
constexpr double correlated = 0.9;

// Variance that the activation adds to a field: what turns a field into a probit score.
double activation_variance(ActivationKind kind, double noise) {
  if (kind == ActivationKind::probit) return noise * noise;
  if (kind == ActivationKind::logistic) return noise * noise * 1.702 * 1.702;  // closest probit
  return 0;
}

}  // namespace

FeatureMixture mix_features(const std::vector<Posterior>& posteriors, const std::vector<double>& weight,
                            ActivationKind activation, const std::vector<double>& noise) {
  FeatureMixture out;
  for (std::size_t k = 0; k < posteriors.size(); ++k) {
    if (weight[k] == 0) continue;
    const Posterior& p = posteriors[k];
    const std::size_t n = p.mean.size();
    if (out.mean.empty())
      for (auto* v : {&out.inclusion, &out.mean, &out.sd}) v->assign(n, 0);
    const double scale = 1 / std::sqrt(p.common_field_variance + activation_variance(activation, noise[k]));
    for (std::size_t l = 0; l < n; ++l) {
      const double m = scale * p.mean[l];
      out.inclusion[l] += weight[k] * p.inclusion[l];
      out.mean[l] += weight[k] * m;
      out.sd[l] += weight[k] * (scale * scale * p.variance[l] + m * m);
    }
  }
  for (std::size_t l = 0; l < out.sd.size(); ++l)
    out.sd[l] = std::sqrt(std::max(out.sd[l] - out.mean[l] * out.mean[l], 0.0));
  return out;
}

std::vector<std::vector<std::uint32_t>> correlated_groups(const Design& design, const std::vector<double>& inclusion) {
  std::vector<std::size_t> order(inclusion.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return inclusion[a] > inclusion[b]; });
  order.resize(std::min(order.size(), most_candidates));
  while (!order.empty() && inclusion[order.back()] < noticeable) order.pop_back();
  Matrix columns;
  design.columns(order, columns);
  columns.rowwise() -= columns.colwise().mean();
  for (Eigen::Index j = 0; j < columns.cols(); ++j) columns.col(j) /= std::max(columns.col(j).norm(), 1e-300);
  const Matrix correlation = columns.transpose() * columns;
  std::vector<bool> taken(order.size(), false);
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (taken[i]) continue;
    std::vector<std::uint32_t> group = {static_cast<std::uint32_t>(order[i])};
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (taken[j] || std::abs(correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))) < correlated)
        continue;
      taken[j] = true;
      group.push_back(static_cast<std::uint32_t>(order[j]));
    }
    if (group.size() < 2) continue;
    std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace cavity
