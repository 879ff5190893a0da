#include <algorithm>
#include <limits>

#include "base/ranking.hpp"
#include "cavity/fit.hpp"

namespace cavity {

std::vector<Feature> covariate_features(const Model& model, std::size_t question) {
  const std::vector<CovariateEstimate>& covariates = model.questions.at(question).covariates;
  std::vector<Feature> out;
  for (std::size_t j = 0; j < covariates.size(); ++j) {
    const CovariateEncoding& encoding = model.preprocessing.covariates[j];
    const std::string category = encoding.category.empty() ? "" : "=" + encoding.category;
    out.push_back({encoding.name + category, 1, covariates[j].weight, covariates[j].sd, model.of_class(question)});
  }
  return out;
}

OverallEstimates overall_features(const Model& model) {
  OverallEstimates out;
  const std::size_t features = model.questions.front().features.inclusion.size();
  for (std::size_t l = 0; l < features; ++l) {
    std::size_t best = 0;
    for (std::size_t q = 1; q < model.questions.size(); ++q)
      if (model.questions[q].features.inclusion[l] > model.questions[best].features.inclusion[l]) best = q;
    const FeatureEstimates& of = model.questions[best].features;
    out.inclusion.push_back(of.inclusion[l]);
    out.weight.push_back(of.weight[l]);
    out.sd.push_back(of.sd[l]);
    out.of_class.push_back(model.of_class(best));
  }
  return out;
}

std::vector<std::size_t> ranked(std::span<const double> values, std::size_t most) {
  return falling_order(values.size(), most, [&](std::size_t l) { return values[l]; });
}

Feature feature_at(const Model& model, std::size_t question, std::size_t position) {
  const FeatureEstimates& of = model.questions.at(question).features;
  Feature out{model.preprocessing.feature_names[position], of.inclusion[position], of.weight[position], of.sd[position],
              model.of_class(question)};
  if (!of.alone.empty()) out.alone = of.alone[position];
  return out;
}

Feature feature_at(const Model& model, const OverallEstimates& overall, std::size_t position) {
  return feature_at(model, model.questions.size() == 1 ? 0 : overall.of_class[position], position);
}

std::vector<Feature> ranked_features(const Model& model, std::size_t most) {
  const OverallEstimates all = overall_features(model);
  std::vector<Feature> out;
  for (const std::size_t l : ranked(all.inclusion, most)) out.push_back(feature_at(model, all, l));
  return out;
}

std::vector<Feature> ranked_features_of(const Model& model, std::size_t question, std::size_t most) {
  std::vector<Feature> out;
  for (const std::size_t l : ranked(model.questions.at(question).features.inclusion, most))
    out.push_back(feature_at(model, question, l));
  return out;
}

double bayes_factor(const Model& model, const Feature& feature) {
  const std::size_t question = model.questions.size() == 1 ? 0 : feature.of_class;
  const std::optional<DensityAverage>& average = model.questions.at(question).features.average;
  if (!average) return std::numeric_limits<double>::quiet_NaN();
  const double prior = average->prior_inclusion;
  return feature.inclusion / (1 - feature.inclusion) * (1 - prior) / prior;
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
