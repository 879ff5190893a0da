#include "fit/describe_features.hpp"

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

CovariateField covariate_field(const FitTable& table, const Answer& a) {
  const Covariates& covariates = table.covariates;
  CovariateField out{std::vector<double>(a.labels.size(), 0), 0};
  if (covariates.count() == 0) return out;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a.weight(k) == 0) continue;
    const Posterior& p = *a.cell(k).posterior;
    const double share = a.weight(k) / field_scale(p, a.activation_at(a.cell(k).where));
    for (std::size_t mu = 0; mu < out.values.size(); ++mu)
      for (std::size_t j = 0; j < covariates.count(); ++j)
        out.values[mu] += share * p.covariate_mean[j] *
                          covariates.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
    if (table.has_intercept()) out.intercept += share * p.covariate_mean.front();
  }
  return out;
}

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

std::vector<CovariateEstimate> describe_covariates(const FitTable& table, const Answer& a) {
  const auto& encodings = table.prepared->preprocessing.covariates;
  std::vector<CovariateEstimate> out(encodings.size());
  const std::size_t first = table.has_intercept() ? 1 : 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double share = a.weight(k);
    if (share == 0) continue;
    const Posterior& p = *a.cell(k).posterior;
    const double unit = 1 / field_scale(p, a.activation_at(a.cell(k).where));
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

Contributions describe_contributions(const FitTable& table, const Answer& a, const FeatureMixture& mixture,
                                     ThreadPool& pool) {
  const CovariateField fixed = covariate_field(table, a);
  const Preprocessing& preprocessing = table.prepared->preprocessing;
  Contributions out;
  out.intercept = fixed.intercept;
  if (preprocessing.directions > 0) return out;
  out = contributions(*table.design, mixture, fixed.values, fixed.intercept, pool);
  for (auto& l : out.features) l = preprocessing.kept[l];
  return out;
}

}  // namespace cavity
