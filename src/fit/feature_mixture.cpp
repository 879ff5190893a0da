#include "fit/feature_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "base/ranking.hpp"
#include "design/sharded_design.hpp"
#include "kernels/matrix_product.hpp"
#include "model/activation_kind.hpp"
#include "model/negligible.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_candidates = 400;  // looked at for correlation
constexpr double correlated = 0.9;

constexpr std::size_t most_contributors = 50;

}  // namespace

double field_scale(const Posterior& posterior, const AnyActivation& activation) {
  return std::sqrt(posterior.common_field_variance + added_variance(activation));
}

FeatureMixture mix_features(const Design& design, const Answer& answer) {
  FeatureMixture out;
  for (std::size_t k = 0; k < answer.size(); ++k) {
    const double weight = answer.weight(k);
    if (weight == 0) continue;
    const Posterior& p = *answer.cell(k).posterior;
    const std::size_t n = p.mean.size();
    if (out.mean.empty())
      for (auto* v : {&out.inclusion, &out.mean, &out.sd}) v->assign(n, 0);
    const double scale = 1 / field_scale(p, answer.activation_at(answer.cell(k).where));
    for (std::size_t l = 0; l < n; ++l) {
      const double m = scale * p.mean[l];
      out.inclusion[l] += weight * p.inclusion[l];
      out.mean[l] += weight * m;
      out.sd[l] += weight * (scale * scale * p.variance[l] + m * m);
    }
  }
  if (answer.average.known()) out.inclusion = answer.average.inclusion;
  for (std::size_t l = 0; l < out.sd.size(); ++l) {
    out.inclusion[l] = std::min(out.inclusion[l], 1.0);  // the weights sum to 1 but for rounding
    out.sd[l] = std::sqrt(std::max(out.sd[l] - out.mean[l] * out.mean[l], 0.0));
  }
  for (auto* part : {&out.inclusion, &out.mean, &out.sd}) *part = design.shards().join(*part);
  return out;
}

Contributions contributions(const Design& design, const FeatureMixture& mixture,
                            const std::vector<double>& covariate_field, double intercept, ThreadPool& pool) {
  const std::size_t n = mixture.mean.size(), samples = design.samples();
  const double root = std::sqrt(static_cast<double>(n));
  const std::vector<std::size_t> order =
      falling_order(n, most_contributors, [&](std::size_t l) { return std::abs(mixture.mean[l]); });
  const std::size_t count = order.size();
  Matrix columns;
  columns_anywhere(design, order, columns);
  Contributions out;
  out.features.assign(order.begin(), order.end());
  out.values = FeatureMatrix(samples, count);
  out.rest.resize(samples);
  out.intercept = intercept;
  const Shards::Part own = design.shards().place(design.features());
  design.times(std::span(mixture.mean).subspan(own.first, own.count()), out.rest, pool);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    double rest = out.rest[mu] / root + covariate_field[mu] - intercept;
    for (std::size_t j = 0; j < count; ++j) {
      const double value =
          columns(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j)) * mixture.mean[order[j]] / root;
      out.values.row(mu)[j] = static_cast<float>(value);
      rest -= value;
    }
    out.rest[mu] = rest;
  }
  return out;
}

std::vector<std::vector<std::uint32_t>> correlated_groups(const Design& design, const std::vector<double>& inclusion,
                                                          ThreadPool& pool) {
  std::vector<std::size_t> order =
      falling_order(inclusion.size(), most_candidates, [&](std::size_t l) { return inclusion[l]; });
  while (!order.empty() && inclusion[order.back()] < negligible) order.pop_back();
  Matrix columns;
  columns_anywhere(design, order, columns);
  columns.rowwise() -= columns.colwise().mean();
  columns.array().rowwise() /= columns.colwise().norm().array().max(1e-300);
  Matrix correlation = Matrix::Zero(columns.cols(), columns.cols());
  add_lower_product(1, MatrixView(columns).transposed(), columns, correlation, pool);
  std::vector<bool> taken(order.size(), false);
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (taken[i]) continue;
    std::vector<std::uint32_t> group = {static_cast<std::uint32_t>(order[i])};
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (taken[j] || std::abs(correlation(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i))) < correlated)
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
