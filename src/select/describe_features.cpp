#include "select/describe_features.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "prepare/feature_weights.hpp"

namespace cavity {

namespace {

/// Mixed field of intercept and covariates, a sample, in the units of the feature mixture.
struct CovariateField {
  std::vector<double> values;
  double intercept = 0;
};

CovariateField covariate_field(const Answer& a) {
  const Covariates& covariates = a.problem.covariates;
  CovariateField out{std::vector<double>(a.prepared.samples(), 0), 0};
  if (covariates.count() == 0) return out;
  for (std::size_t k = 0; k < a.solved.posteriors.size(); ++k) {
    if (a.choice.weight[k] == 0) continue;
    const Posterior& p = a.solved.posteriors[k];
    const double share = a.choice.weight[k] / field_scale(p, a.problem.at(a.solved.grid.point(k)).activation);
    for (std::size_t mu = 0; mu < out.values.size(); ++mu)
      for (std::size_t j = 0; j < covariates.count(); ++j)
        out.values[mu] += share * p.covariate_mean[j] *
                          covariates.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
    if (a.has_intercept()) out.intercept += share * p.covariate_mean.front();
  }
  return out;
}

bool inputs_are_features(const Prepared& prepared) { return prepared.preprocessing.directions == 0; }

}  // namespace

FeatureEstimates describe_features(const Preprocessing& preprocessing, std::span<const double> row_scale,
                                   const InputEstimates& estimates) {
  const double mean_row_scale =
      std::accumulate(row_scale.begin(), row_scale.end(), 0.0) / static_cast<double>(row_scale.size());
  FeatureEstimates out;
  out.weight = feature_weights(preprocessing, estimates.mean, mean_row_scale);
  out.sd = feature_deviations(preprocessing, estimates.deviation, mean_row_scale);
  out.inclusion.assign(preprocessing.feature_names.size(), 0);
  if (preprocessing.directions == 0) {
    for (std::size_t i = 0; i < preprocessing.kept.size(); ++i)
      out.inclusion[preprocessing.kept[i]] = estimates.inclusion[i];
    return out;
  }
  double largest = 0;
  for (const double w : out.weight) largest = std::max(largest, std::abs(w));
  if (largest == 0) return out;
  for (std::size_t l = 0; l < out.weight.size(); ++l) out.inclusion[l] = std::abs(out.weight[l]) / largest;
  return out;
}

FeatureEstimates describe_features(const Answer& a, const FeatureMixture& mixture, ThreadPool& pool) {
  const Preprocessing& preprocessing = a.prepared.preprocessing;
  FeatureEstimates out =
      describe_features(preprocessing, a.prepared.row_scale, {mixture.mean, mixture.sd, mixture.inclusion});
  if (!inputs_are_features(a.prepared)) return out;
  out.groups = correlated_groups(a.problem.design, mixture.inclusion, pool);
  for (auto& group : out.groups)
    for (auto& l : group) l = preprocessing.kept[l];
  return out;
}

std::vector<CovariateEstimate> describe_covariates(const Answer& a) {
  const auto& encodings = a.prepared.preprocessing.covariates;
  std::vector<CovariateEstimate> out(encodings.size());
  const std::size_t first = a.has_intercept() ? 1 : 0;
  for (std::size_t k = 0; k < a.solved.posteriors.size(); ++k) {
    const double share = a.choice.weight[k];
    if (share == 0) continue;
    const Posterior& p = a.solved.posteriors[k];
    const double unit = 1 / field_scale(p, a.problem.at(a.solved.grid.point(k)).activation);
    for (std::size_t j = 0; j < out.size(); ++j) {
      const double mean = unit * p.covariate_mean[first + j];
      out[j].weight += share * mean;
      out[j].sd += share * (unit * unit * p.covariate_variance[first + j] + mean * mean);
    }
  }
  for (std::size_t j = 0; j < out.size(); ++j) {
    const double mean = out[j].weight, scale = encodings[j].scale;
    out[j] = {scale * mean, scale * std::sqrt(std::max(out[j].sd - mean * mean, 0.0))};
  }
  return out;
}

Contributions describe_contributions(const Answer& a, const FeatureMixture& mixture, ThreadPool& pool) {
  const CovariateField fixed = covariate_field(a);
  Contributions out;
  out.intercept = fixed.intercept;
  if (!inputs_are_features(a.prepared)) return out;
  out = contributions(a.problem.design, mixture, fixed.values, fixed.intercept, pool);
  for (auto& l : out.features) l = a.prepared.preprocessing.kept[l];
  return out;
}

}  // namespace cavity
