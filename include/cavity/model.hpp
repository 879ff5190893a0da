// What a fit leaves behind: all that prediction and the feature list need.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cavity/activation.hpp"
#include "cavity/dataset.hpp"
#include "cavity/place_draws.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

/// What a cell contributes to prediction.
struct Component {
  double density = 0, noise = 0, width = 0, weight = 0;     // width in units of sqrt(density)
  std::vector<double> mean;                                 // a feature that inference sees
  std::vector<double> covariate_mean;                       // intercept first, where there is one
  double common_variance = 0;                               // of a new field, when the sites below are not kept
  std::vector<double> feature_precision, sample_precision;  // Gaussian sites, EP only
  std::vector<double> variance{}, covariate_variance{};     // own ones, gamp only: of a new field sum_l x_l^2 v_l/N
  PlaceDraws places{};                                      // of a cell whose places were sampled: they predict alone

  bool sampled() const { return places.count() > 0; }
};

/// k + (1 - 2k) Phi(t z), z the probit of a probability; fitted to leave-one-out, applied only when it pays.
struct Recalibration {
  double floor = 0, slope = 1;
};

/// Of sampled cells and of the others, each part brought to weight 1.
struct PartRecalibration {
  std::optional<Recalibration> sampled{}, others{};
  bool any() const { return sampled || others; }
};

/// What a feature says alone, its class against the others, on the scale of the weights: the difference of the means
/// (of samples alike in their covariates, where there are some), Student's t and the q of Benjamini and Hochberg. NaN
/// where it is not known.
struct Marginal {
  double difference = std::numeric_limits<double>::quiet_NaN(), t = difference, q = difference;
};

struct Feature {
  std::string name;
  double inclusion = 0, weight = 0, sd = 0;
  std::uint32_t of_class = 1;  // that a positive weight speaks for
  Marginal alone{};
};

/// A cell whose boundary is bent: fields f ~ N(0, K) over samples, s0, s1, s2 the scales and d the relevances,
///   K = s0 exp(-sum_l d_l (x_l - x'_l)^2/2) + s1 sum_l d_l x_l x'_l + s2 sum_j z_j z'_j/precision_j,
/// and what the training samples say of them, exp(-omega f^2/2 + eta f) each.
struct BentComponent {
  double noise = 0, width = 0, weight = 0;
  double bent = 0, straight = 0, level = 0;             // s0, s1, s2
  std::vector<double> relevance;                        // a feature that inference sees; equal ones all the same
  std::vector<double> sample_precision, sample_linear;  // omega, eta
};

/// The bent cells' part of an answer, their weights brought to sum 1.
struct BentMixture {
  double share = 0;  // 0: there are none
  std::vector<BentComponent> components;
};

/// What answers a question: P(+) = sum_k w_k g_k(field mean; field variance). Where sampled cells have a share beside
/// others, the others are recalibrated first. Bent cells have their share of all of it.
struct CellMixture {
  ActivationKind activation = ActivationKind::step;
  bool intercept = true;
  double covariate_precision = 0;  // prior precision of intercept and covariates, in units of 1/density
  std::vector<Component> components;
  PartRecalibration part_recalibration{};
  PlaceScores place_scores{};
  BentMixture bent{};

  /// Of the cells whose places were sampled, all together.
  double sampled_weight() const {
    double out = 0;
    for (const Component& c : components) out += c.sampled() ? c.weight : 0;
    return out;
  }
};

/// Of an encoded covariate, on the scale of the features' weights: per unit of a number, of a category against the
/// reference.
struct CovariateEstimate {
  double weight = 0, sd = 0;
};

/// Of an average over how many features matter, by evidence.
struct DensityAverage {
  double prior_inclusion = 0;  // of any feature, before the labels are seen
  double none = 0, few = 0;    // P(no feature matters), P(as few as sampled cells keep), given the labels
};

/// Of all features of the training file; weights, under the mixture, per unit of the transformed feature.
struct FeatureEstimates {
  std::vector<double> inclusion, weight, sd;
  std::vector<CredibleSet> credible_sets{};  // of the sparsest cells, where they are likely
  std::optional<DensityAverage> average{};   // of which inclusion is; none: it is the mixture's
  std::vector<Marginal> alone{};             // empty: not known
};

/// Training rows as inference saw them, for the predictive variance. May be empty.
struct TrainingRows {
  FeatureMatrix values;  // samples x inputs
  std::vector<double> row_scale;
  FeatureMatrix covariates;  // encoded, without the intercept
};

/// One class against the others.
struct QuestionModel {
  CellMixture mixture;
  FeatureEstimates features;
  std::vector<CovariateEstimate> covariates;  // as preprocessing.covariates; empty of models from before there were any

  /// How likely it is that as few features matter as sampled cells keep.
  double few() const { return features.average ? features.average->few : mixture.sampled_weight(); }
};

/// How the classes, each against the rest, become one answer: P(k) = floor/classes + (1 - floor) softmax_k of
///   temperature f_k + offset_k + sum_j coupling_jk f_j,  f_k = ln(p_k/(1 - p_k)), p_k that of class k against the
///   rest.
struct Joining {
  double floor = 0;  // what leave-one-out of so many samples cannot exclude
  double temperature = 1;
  std::vector<double> offset;    // a class; empty: there is nothing to join
  std::vector<double> coupling;  // classes x classes, row j the field's; empty: none
};

/// All classes at once, softmax_k(x . weight_k/sqrt(inputs) + z . covariate_weight_k), every feature kept: it has a
/// share in the answer, P = (1 - share) P_joined + share P_together.
struct Together {
  double share = 0;                      // 0: there is none
  double precision = 0;                  // of the prior on weights
  std::vector<double> weight;            // classes x inputs
  std::vector<double> covariate_weight;  // classes x covariates, intercept first, where there is one
};

/// That no feature matters is a hypothesis, too: P = (1 - share) P + share Q, Q the classes' frequencies or, where
/// there are covariates, what these say alone, softmax_k(w_0k + z . w_k) for covariates z in standard deviations, as
/// they are encoded.
struct Nothing {
  double share = 0;                        // 0: it is out of the question
  std::vector<double> probability;         // of a class: its frequency
  std::vector<double> covariate_weight{};  // classes x (1 + covariates), w_0 first; empty: there are none
};

/// From what the questions' mixtures say to probabilities of classes. One question: P of its class, recalibrated.
/// Several: joined, and mixed with a fit of all classes at once. Then mixed with what holds where there is nothing to
/// find; at the end every class counts as often as it will.
struct Calibration {
  std::optional<Recalibration> recalibration{};  // of one question
  Joining joining{};                             // of several
  Together together{};                           // beside them
  Nothing nothing{};                             // beside all of that
  /// A class: factor on its probability, before all are brought to sum 1; empty: as common as in training.
  std::vector<double> class_shift{};
};

/// What the permutation test of the training table said.
struct Tested {
  double p = 1;
  std::size_t permutations = 0;

  /// That the features tell the classes apart, at the usual level.
  bool shown() const { return p < 0.05; }
};

struct Model {
  std::vector<std::string> class_names = {"", ""};  // in order; of two the positive one is the second
  std::string label_name;
  std::string id_name;  // the column of sample ids, where it has a name
  Preprocessing preprocessing;
  std::vector<QuestionModel> questions;                // of two classes one, of the second; of more one a class
  std::vector<std::vector<std::uint32_t>> correlated;  // features so much so that they share their inclusion
  Calibration calibration;
  std::optional<Tested> tested{};  // none: it was not tested, or the file is from before it was kept
  TrainingRows training;
  std::string summary_json;  // the fit's JSON, kept for later reports

  /// The side that a question asks for.
  std::uint32_t of_class(std::size_t question) const {
    return questions.size() == 1 ? 1 : static_cast<std::uint32_t>(question);
  }
  const CellMixture& first_mixture() const { return questions.front().mixture; }
  /// Whether the only question's probabilities are, by their whole or in part.
  bool recalibrated() const { return calibration.recalibration || first_mixture().part_recalibration.any(); }
};

}  // namespace cavity
