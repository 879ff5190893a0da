// What a model says, as CSV: predictions of new samples, and its features.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cavity/fit.hpp"
#include "cavity/label_sets.hpp"

namespace cavity {

/// New samples with what is predicted of them and, where it is known, the truth.
struct PredictedSamples {
  std::vector<std::string> sample, truth, class_names;  // truth: empty where it is not known; none of no sample
  Prediction predicted;
  std::optional<LabelSets> sets{};  // where they are asked for

  std::size_t classes() const { return class_names.size(); }
  const std::string& label(std::size_t i) const { return class_names[predicted.label[i]]; }
  double probability(std::size_t i, std::size_t k) const { return predicted.at(i, k); }
  /// Of two classes that of the positive one, of more that of the label.
  double probability(std::size_t i) const { return predicted.at(i, classes() == 2 ? 1 : predicted.label[i]); }
  /// Names of the classes in a sample's set.
  std::vector<std::string> set(std::size_t i) const;
};
PredictedSamples predict_samples(const Model& model, Dataset data, const PredictOptions& options,
                                 std::optional<double> confidence = {});

/// sample,probability,label, of more than two classes sample,label,probability and p_CLASS of each; then the set, its
/// classes with | between them, and the truth.
std::string prediction_csv(const PredictedSamples& samples);
/// "error 0.1290 (8 of 62 samples)"; empty where no truth is known.
std::string prediction_error(const PredictedSamples& samples);
/// "sets of labels at 90 %: one label in 41 of 50 samples, none in 2, several in 7; the truth in 45 of 49"; empty where
/// there are none.
std::string sets_line(const PredictedSamples& samples);

/// feature,inclusion,weight,sd,difference,t,q, the last three empty where they are not known; with names of the classes
/// also the one that each feature speaks for, and of several blocks also the block.
std::string feature_csv(const Model& model, const std::vector<Feature>& features,
                        const std::vector<std::string>& of_class = {});
/// All features of a model, most included first, after its covariates, which are always kept.
std::string feature_csv(const Model& model);

}  // namespace cavity
