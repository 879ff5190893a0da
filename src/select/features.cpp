#include <algorithm>
#include <numeric>

#include "cavity/fit.hpp"

namespace cavity {

std::vector<Feature> covariate_features(const Model& model) {
  std::vector<Feature> out;
  for (std::size_t j = 0; j < model.covariates.size(); ++j) {
    const CovariateEncoding& encoding = model.preprocessing.covariates[j];
    const std::string category = encoding.category.empty() ? "" : "=" + encoding.category;
    out.push_back({encoding.name + category, 1, model.covariates[j].weight, model.covariates[j].sd});
  }
  return out;
}

namespace {

std::vector<Feature> ranked(const FeatureEstimates& features, const std::vector<std::string>& names) {
  const std::vector<double>& inclusion = features.inclusion;
  std::vector<std::size_t> order(inclusion.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return inclusion[a] > inclusion[b]; });
  std::vector<Feature> out;
  for (const std::size_t l : order) out.push_back({names[l], inclusion[l], features.weight[l], features.sd[l]});
  return out;
}

}  // namespace

std::vector<Feature> ranked_features(const Model& model) {
  return ranked(model.features, model.preprocessing.feature_names);
}

std::vector<Feature> ranked_features(const Model& model, std::size_t of_class) {
  return ranked(model.per_class.at(of_class).features, model.preprocessing.feature_names);
}

std::vector<double> expected_false(std::span<const double> ranked_inclusion) {
  std::vector<double> out;
  double sum = 0;
  for (const double inclusion : ranked_inclusion) out.push_back(sum += 1 - inclusion);
  return out;
}

std::size_t discoveries(std::span<const double> ranked_inclusion, double rate) {
  const std::vector<double> false_ones = expected_false(ranked_inclusion);
  // Their fraction grows with the list: stop at the last below.
  std::size_t count = 0;
  while (count < false_ones.size() && !(false_ones[count] > rate * static_cast<double>(count + 1))) ++count;
  return count;
}

std::size_t discoveries(const std::vector<Feature>& ranked, double rate) {
  std::vector<double> inclusion;
  for (const Feature& feature : ranked) inclusion.push_back(feature.inclusion);
  return discoveries(inclusion, rate);
}

}  // namespace cavity
