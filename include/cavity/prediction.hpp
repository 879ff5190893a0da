// What a model says of new samples, and how much of it rests on what was measured in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cavity/dataset.hpp"
#include "cavity/model.hpp"

namespace cavity {

/// How much of what the model looks at was measured. What is absent is told by what is there, as the training samples
/// have it; `explained` is the share of the fields' variance over training samples that is known then, each judged by a
/// regression without it. 1: all was measured. 0: nothing of what decides was, nor anything that tells it.
struct MeasuredPart {
  std::size_t features = 0;                // that the model looks at
  std::vector<std::string> absent{};       // those of them without a column in the data
  double explained = 1;                    // with the columns there are
  std::vector<double> sample_explained{};  // with each sample's own missing values; empty: nothing is missing
  std::size_t missing = 0, filled = 0;     // values missing in columns that are there; those that took their mean
  std::size_t renamed = 0;                 // features found by `match`

  bool whole() const { return absent.empty() && missing == 0; }
};

struct Prediction {
  std::vector<std::uint32_t> label;   // the likeliest class, of equal ones the last: a position in class_names
  std::vector<double> probabilities;  // samples x classes, in the order of class_names
  std::size_t classes = 2;
  MeasuredPart measured{};

  double at(std::size_t sample, std::size_t of_class) const { return probabilities[sample * classes + of_class]; }
  /// Of one class, a sample.
  std::vector<double> of(std::size_t of_class) const {
    std::vector<double> out;
    for (std::size_t i = of_class; i < probabilities.size(); i += classes) out.push_back(probabilities[i]);
    return out;
  }
};

/// Below this share explained a front end warns.
inline constexpr double doubtful_share = 0.6;

struct PredictOptions {
  unsigned threads = 0;           // 0: one a core
  bool match = false;             // names that differ by case, version suffix or a prefix are the same
  double least_explained = 0.25;  // columns that explain less of the fields' variance are refused
  bool fill_means = false;        // a missing value takes its feature's training mean, as if that were what is known
};

/// Features are matched by name. Those that are absent, and missing values, are told by the others where the model has
/// its training rows; without these an absent feature is an InputError that lists them, and a missing value takes its
/// feature's training mean.
Prediction predict(const Model& model, Dataset data, const PredictOptions& options);
Prediction predict(const Model& model, Dataset data, unsigned threads = 0);

}  // namespace cavity
