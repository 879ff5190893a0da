// Sets of labels that hold the truth as often as promised, from what the fit said of its own samples left out.
#pragma once

#include <cstddef>
#include <vector>

#include "cavity/model.hpp"
#include "cavity/prediction.hpp"

namespace cavity {

/// Of new samples. A label is in the set where its conformity is above 1 - confidence: none, one or several are.
struct LabelSets {
  double confidence = 0.9;
  std::size_t classes = 2;
  /// Samples x classes: the share of the training samples, the new one counted among them, whose own class was given no
  /// more when they were left out than the new sample gives this one.
  std::vector<double> conformity;

  std::size_t samples() const { return conformity.size() / classes; }
  bool holds(std::size_t sample, std::size_t of_class) const {
    return conformity[sample * classes + of_class] > 1 - confidence;
  }
};

/// UsageError that says why where the promise could not be kept: the model does not know what it said of its training
/// samples left out, these are too few for the confidence, they came in groups, or the probabilities are for another
/// site than theirs. InputError where features of the model are absent.
LabelSets label_sets(const Model& model, const Prediction& predicted, double confidence);

}  // namespace cavity
