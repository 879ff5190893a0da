#include "cavity/linear_score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <unordered_map>

#include "base/threads.hpp"
#include "cavity/errors.hpp"
#include "fit/recalibrate.hpp"
#include "model/activation_kind.hpp"
#include "prepare/covariates.hpp"

namespace cavity {

namespace {

void require_linear(const Preprocessing& p) {
  const char* because =
      p.transform == Transform::rank    ? "the values are ranked within each sample (`value_transform=none` avoids it)"
      : p.transform == Transform::asinh ? "the values are scaled within each sample (`value_transform=none` avoids it)"
      : p.row_scale == 0                ? "each sample is brought to one length by its own factor"
                                        : nullptr;
  if (because)
    throw UsageError(fmt::format("not possible: no weighted sum of values is this classifier, because {}", because));
}

/// The intercept as the features' weights are mixed: each cell's in units of its fields' standard deviation.
double mixed_intercept(const CellMixture& mixture) {
  double out = 0;
  for (const Component& c : mixture.components)
    if (mixture.intercept)
      out += c.weight * c.covariate_mean.front() /
             std::sqrt(c.common_variance +
                       added_variance(make_activation(mixture.activation, c.noise, c.width, c.density)));
  return out;
}

/// The probability that goes with a score, were the weights known exactly: the step activation has a floor.
double probability_at(double score, const Model& model) {
  double sampled = 0, others = 0;
  const double chance = 0.5 * std::erfc(-score / std::numbers::sqrt2);
  for (const Component& c : model.first_mixture().components) {
    const double floor = model.first_mixture().activation == ActivationKind::step ? c.noise : 0;
    (c.sampled() ? sampled : others) += c.weight * (floor + (1 - 2 * floor) * chance);
  }
  return mixed_probability(model.first_mixture(), sampled, others);
}

/// The score at which the probability, recalibrated, mixed with that of nothing (of mean covariates) and shifted, is
/// 1/2.
double threshold(const Model& model) {
  const auto& shift = model.calibration.class_shift;
  const Nothing& nothing = model.calibration.nothing;
  if (shift.empty() && nothing.share == 0) return 0;
  double wanted = shift.empty() ? 0.5 : 1 / (1 + shift[1]);
  if (nothing.share > 0) {
    const std::vector<double>& weights = nothing.covariate_weight;  // of two classes
    const double otherwise =
        weights.empty() ? nothing.probability[1] : 1 / (1 + std::exp(weights[0] - weights[weights.size() / 2]));
    wanted = (wanted - nothing.share * otherwise) / (1 - nothing.share);
  }
  double low = -10, high = 10;
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    (probability_at(middle, model) < wanted ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// What a feature's value in the file counts as.
double counted_as(double raw, const LinearScore& score, const LinearScore::Term& term) {
  const bool by_feature = score.transform == Transform::feature_asinh;
  if (std::isnan(raw) && !by_feature) return term.mean;
  const double value = std::isnan(raw) ? term.mean : raw;
  if (by_feature) return std::asinh((value - term.median) / term.spread);
  return score.transform == Transform::log1p ? std::log1p(value) : value;
}

std::vector<double> scores_of(const LinearScore& score, const Model& model, const Dataset& data) {
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t l = 0; l < data.feature_names.size(); ++l) place.emplace(data.feature_names[l], l);
  const FeatureMatrix covariates = apply_covariates(model.preprocessing.covariates, data.covariates, data.samples());
  const FeatureMatrix& values = data.features.dense();
  std::vector<double> out(data.samples(), score.intercept);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const auto& term : score.features) {
      const auto at = place.find(term.name);
      const double raw = at == place.end() ? NAN : values.row(i)[at->second];
      out[i] += term.weight * counted_as(raw, score, term);
    }
    for (std::size_t j = 0; j < score.covariates.size(); ++j) {
      const CovariateEncoding& e = model.preprocessing.covariates[j];
      out[i] += score.covariates[j].weight * (covariates.row(i)[j] / e.scale + e.centre);
    }
  }
  return out;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> out(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = static_cast<double>(i);
  return out;
}

double correlation_of(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += x[i] / count;
    my += y[i] / count;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xy / std::sqrt(std::max(xx * yy, 1e-300));
}

}  // namespace

LinearScore linear_score(const Model& model) {
  if (model.questions.size() > 1)
    throw UsageError(fmt::format("not possible: {} classes are no single weighted sum", model.class_names.size()));
  if (model.first_mixture().bent.share > 0)
    throw UsageError(
        "not possible: the boundary is bent, and no weighted sum of values is this classifier (`boundary=straight` "
        "avoids it)");
  const Preprocessing& p = model.preprocessing;
  require_linear(p);
  if (std::ranges::any_of(p.blocks, [&](const BlockPreparation& block) { return block.transform != p.transform; }))
    throw UsageError("not possible: the blocks were transformed differently");
  const QuestionModel& question = model.questions.front();
  if (question.covariates.size() != p.covariates.size())
    throw UsageError("not possible: this model file is from before covariates had weights in it; fit again");
  LinearScore out;
  out.transform = p.transform;
  out.intercept = mixed_intercept(question.mixture) - threshold(model);
  for (std::size_t j = 0; j < p.kept.size(); ++j) {
    const std::uint32_t l = p.kept[j];
    const double weight = question.features.weight[l];
    if (weight == 0) continue;
    out.features.push_back({p.feature_names[l], weight, p.impute[l]});
    if (!p.median.empty()) out.features.back().median = p.median[j];
    if (!p.spread.empty()) out.features.back().spread = p.spread[j];
    out.intercept -= weight * p.centre[j];
  }
  for (std::size_t j = 0; j < p.covariates.size(); ++j) {
    const CovariateEncoding& e = p.covariates[j];
    out.covariates.push_back(
        {e.category.empty() ? e.name : e.name + "=" + e.category, question.covariates[j].weight, e.centre});
    out.intercept -= question.covariates[j].weight * e.centre;
  }
  return out;
}

ScoreAgreement score_agreement(const LinearScore& score, const Model& model, Dataset data, unsigned threads) {
  data.features.make_dense();
  const std::vector<double> scores = scores_of(score, model, data);
  const std::vector<double> probability = predict(model, std::move(data), threads).of(1);
  ScoreAgreement out;
  std::size_t equal = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) equal += (scores[i] >= 0) == (probability[i] >= 0.5) ? 1 : 0;
  out.equal_labels = static_cast<double>(equal) / static_cast<double>(scores.size());
  out.correlation = correlation_of(ranks(scores), ranks(probability));
  return out;
}

}  // namespace cavity
