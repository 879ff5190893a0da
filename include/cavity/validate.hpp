// A fit on data that it has not seen, labels known: what it promised, what came, and whether the samples are such as it
// was fitted on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cavity/accuracy.hpp"
#include "cavity/prediction.hpp"

namespace cavity {

struct ValidateOptions {
  PredictOptions predict{};
  std::vector<double> thresholds = {0.5};  // of the table of decisions
};

/// A mean over samples with its standard error; NaN where it is not known.
struct Figure {
  double value = 0, se = 0;
  Interval interval{};
};

/// Of all samples, or of a subgroup.
struct SiteFigures {
  std::string name;  // of the subgroup
  std::size_t samples = 0;
  std::vector<std::size_t> class_counts;
  Figure error, log_loss, brier;  // Brier: half the summed square
};

struct DecisionRow {
  double threshold = 0.5, sensitivity = 0, specificity = 0, positive_value = 0, negative_value = 0;  // NaN: none
  Interval sensitivity_interval{}, specificity_interval{};
  double net_benefit = 0, treat_all = 0;
};
struct CurveBin {
  std::size_t samples = 0;
  double stated = 0, came = 0;
  Interval interval{};
};

struct RocCorner {
  double threshold = 0, false_positive = 0, true_positive = 0;  // called positive from it on; infinite: none is
};

/// One class against the others; of two classes the positive one alone.
struct ClassFigures {
  std::string name;
  std::optional<Accuracy> accuracy;  // where it came and others came, too
  Figure in_the_large, intercept, slope;
  std::vector<CurveBin> curve;
  std::vector<RocCorner> roc;               // where it came and others came, too
  std::vector<DecisionRow> decisions;       // at the thresholds asked for
  std::vector<DecisionRow> decision_curve;  // 0.05, 0.10, ... 0.95
};

/// What the model file knows of its own leave-one-out.
struct Promise {
  double error = 0, log_loss = 0, brier = 0;
  Interval error_interval{};
  std::vector<std::size_t> class_counts;
};

struct FeatureShift {
  std::string name;
  double deviations = 0;  // mean of the new samples less that of the training ones, in training deviations
};

/// Whether new samples look like the training ones, by features that are there.
struct Drift {
  double outside = 0, training_outside = 0;  // mean share of a row outside the span of the training rows; of these, of
                                             // each outside that of the others
  double outside_limit = 0;                  // the largest of the latter
  std::vector<double> sample_outside;
  std::vector<std::size_t> outliers;         // samples beyond the limit, the farthest first
  std::vector<FeatureShift> worst;           // the largest, first
  double typical_shift = 0;                  // root mean square over features
  double expected_shift = 0;                 // the same where nothing has shifted
  double field_shift = 0, field_spread = 1;  // of the mean field: in training deviations; ratio of deviations
};

/// What differs from what the fit has seen and said, beyond what chance explains.
struct Finding {
  std::string name, text, cure;  // text and cure name options as errors do
};

struct Validation {
  std::vector<std::string> class_names;
  std::optional<Promise> promised;
  SiteFigures all;
  std::vector<SiteFigures> by;  // subgroups, in the order of their first samples
  std::vector<ClassFigures> classes;
  std::vector<std::size_t> confusion;  // rows the truth
  std::optional<Drift> drift;          // where the model has its training rows
  MeasuredPart measured;
  std::vector<Finding> findings;  // empty: nothing speaks against the promise
  std::size_t unlabelled = 0;     // samples left out: their class is not known
  // Of all samples, those without a known class, too.
  std::vector<std::string> sample_names;
  std::vector<std::uint32_t> truth, called;  // a class each; one beyond them: not known
  std::vector<double> probabilities;         // samples x classes
};

/// Samples without a known class are left out; `data.groups` names subgroups. InputError where no sample has a class.
Validation validate(const Model& model, Dataset data, const ValidateOptions& options = {});

}  // namespace cavity
