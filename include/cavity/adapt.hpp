// A frozen model for another site: how often each class comes there, and how sure the probabilities may be, from a few
// labelled samples or from the classes' shares alone. Features and weights stay.
#pragma once

#include <cstdint>
#include <vector>

#include "cavity/prediction.hpp"

namespace cavity {

struct AdaptOptions {
  PredictOptions predict{};
  bool slope = false;  // beside the intercepts
};

/// What changed. P(k) goes with q_k exp(intercept_k), q the probability at slope times its former field.
struct Adaptation {
  std::size_t samples = 0;  // with a label; 0: from shares alone
  std::vector<std::size_t> class_counts{};
  std::vector<double> class_prior{};  // where the adaptation is to them
  std::vector<double> intercept{};    // a class; of two that of the first is 0
  double slope = 1;
  double unchanged = 1;                               // probability that nothing has changed
  double log_loss_before = 0, log_loss_left_out = 0;  // of the samples; each by an adaptation without it
};

struct Adapted {
  Model model;
  Adaptation how;
};

/// From labelled samples of the site. InputError where none has a label of the model; UsageError for a slope where all
/// classes were also fitted at once.
Adapted adapt(const Model& model, Dataset data, const AdaptOptions& options = {});

/// From the share of every class, in their order. UsageError where the model does not know its training samples'.
Adapted adapt_to_class_prior(const Model& model, const std::vector<double>& class_prior);

}  // namespace cavity
