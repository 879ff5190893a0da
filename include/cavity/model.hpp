// What a fit leaves behind: all that prediction and the feature list need.
#pragma once

#include <cstdint>
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

struct Feature {
  std::string name;
  double inclusion = 0, weight = 0, sd = 0;
};

/// The classifier itself: P(+) = sum_k w_k g_k(field mean; field variance), recalibrated as a whole, and where sampled
/// cells have a share beside others, the others before that.
struct CellMixture {
  ActivationKind activation = ActivationKind::step;
  bool intercept = true;
  double covariate_precision = 0;  // prior precision of intercept and covariates, in units of 1/density
  std::vector<Component> components;
  std::optional<Recalibration> recalibration{};
  PartRecalibration part_recalibration{};
  PlaceScores place_scores{};

  bool recalibrated() const { return recalibration || part_recalibration.any(); }
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

/// Of all features of the training file, under the mixture; weights per unit of the transformed feature.
struct FeatureEstimates {
  std::vector<double> inclusion, weight, sd;
  std::vector<std::vector<std::uint32_t>> groups;  // features so correlated that they share their inclusion
  std::vector<CredibleSet> credible_sets{};        // of the sparsest cells, where they carry weight
};

/// Training rows as inference saw them, for the predictive variance. May be empty.
struct TrainingRows {
  FeatureMatrix values;  // samples x inputs
  std::vector<double> row_scale;
  FeatureMatrix covariates;         // encoded, without the intercept
  std::vector<std::int8_t> labels;  // of two classes
};

/// One class against the rest, of a model of more than two classes.
struct ClassModel {
  CellMixture mixture;
  FeatureEstimates features;
  std::vector<CovariateEstimate> covariates;
};

/// How the classes, each against the rest, become one answer: P(k) = floor/classes + (1 - floor) softmax_k of
///   temperature f_k + offset_k + sum_j coupling_jk f_j,  f_k = ln(p_k/(1 - p_k)), p_k that of class k against the
///   rest.
struct Joining {
  double floor = 0;  // what leave-one-out of so many samples cannot exclude
  double temperature = 1;
  std::vector<double> offset;    // a class
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

struct Model {
  std::vector<std::string> class_names = {"", ""};  // negative, positive; of more than two in order
  std::string label_name;
  std::string id_name;  // the column of sample ids, where it has a name
  Preprocessing preprocessing;
  CellMixture mixture;                        // of two classes
  FeatureEstimates features;                  // of more than two: see overall_features
  std::vector<CovariateEstimate> covariates;  // as preprocessing.covariates; empty of models from before there were any
  std::vector<ClassModel> per_class;          // of more than two classes, else empty
  Joining joining;                            // of them
  Together together{};                        // beside them
  std::vector<double> class_shift{};          // a class of them: factor on its probability, before all are brought to
                                              // sum 1; empty: as common as in training
  TrainingRows training;
  double prior_shift = 1;    // factor on the odds of the positive class, after all else; 1: as common as in training
  std::string summary_json;  // the fit's JSON, kept for later reports
};

}  // namespace cavity
