// With p_i what sample i's own class was given when i was left out, i = 1 ... n, and p what the new sample gives class
// k,
//   conformity_k = (1 + #{i: p_i <= p})/(n + 1).
// If the new sample came with the others by chance alone, the conformity of its true class is at most a with
// probability a or less (cross-conformal prediction with folds of one sample).
#include "cavity/label_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "fit/promise.hpp"

namespace cavity {

namespace {

/// What each training sample's own class was given, increasing.
std::vector<double> own_left_out(const Model& model) {
  const std::vector<double> left_out = left_out_of(model);
  const std::vector<std::uint32_t> truth = truth_of(model);
  const std::size_t classes = model.class_names.size();
  if (truth.empty() || left_out.size() != truth.size() * classes)
    throw UsageError(
        "`confidence` needs what the fit said of its own samples left out, and this model does not hold it: fit again");
  std::vector<double> out;
  for (std::size_t mu = 0; mu < truth.size(); ++mu) out.push_back(left_out[mu * classes + truth[mu]]);
  std::ranges::sort(out);
  return out;
}

void check_exchangeable(const Model& model, const MeasuredPart& measured) {
  if (const std::size_t groups = groups_of(model); groups > 0)
    throw UsageError(
        fmt::format("no sets of labels: the training samples came in {} groups, and `confidence` can only be kept for "
                    "samples that came one by one",
                    groups));
  if (!model.calibration.class_shift.empty() || adapted(model))
    throw UsageError(
        "no sets of labels: the model was adapted to another site or to other shares of the classes (`class_prior`), "
        "and "
        "what it said of its training samples tells nothing of samples from there");
  if (!measured.absent.empty())
    throw InputError(fmt::format(
        "no sets of labels: {} of the model's {} features are not in the data, and the training samples, by "
        "which `confidence` is kept, had them",
        measured.absent.size(), measured.features));
}

}  // namespace

LabelSets label_sets(const Model& model, const Prediction& predicted, double confidence) {
  if (!(confidence > 0 && confidence < 1))
    throw UsageError(fmt::format("`confidence` lies between 0 and 1, not {}", confidence));
  check_exchangeable(model, predicted.measured);
  const std::vector<double> own = own_left_out(model);
  const double all = static_cast<double>(own.size()) + 1;
  if (1 / all > 1 - confidence)
    throw UsageError(fmt::format(
        "no sets of labels: {} training samples can keep a `confidence` of {:.3f} at most; every set would hold every "
        "label",
        own.size(), std::floor(1000 * (1 - 1 / all)) / 1000));
  LabelSets out{confidence, predicted.classes, {}};
  for (const double p : predicted.probabilities) {
    const auto below = std::upper_bound(own.begin(), own.end(), p) - own.begin();
    out.conformity.push_back((1 + static_cast<double>(below)) / all);
  }
  return out;
}

}  // namespace cavity
