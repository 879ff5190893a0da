#include "report/study_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "cavity/report.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

using Json = nlohmann::json;

std::string number(const Json& value, int digits = 3) {
  return value.is_number() ? fmt::format("{:.{}f}", value.get<double>(), digits) : "not known";
}

std::string percent(const Json& value) {
  return value.is_number() ? fmt::format("{:.1f} %", 100 * value.get<double>()) : "not known";
}

/// " (95 % 6.6 to 24.1 %)", nothing where it is not known.
std::string range(const Json& interval, bool as_percent = true) {
  if (!interval.is_array() || interval.size() != 2 || !interval[0].is_number() || !interval[1].is_number()) return "";
  const double scale = as_percent ? 100 : 1;
  return fmt::format(" (95 % {:.{}f} to {:.{}f}{})", scale * interval[0].get<double>(), as_percent ? 1 : 3,
                     scale * interval[1].get<double>(), as_percent ? 1 : 3, as_percent ? " %" : "");
}

const Json& at(const Json& object, const char* key) {
  static const Json nothing;
  return object.is_object() && object.contains(key) ? object.at(key) : nothing;
}

std::string class_counts(const Json& fit) {
  std::vector<std::string> out;
  for (const Json& one : at(fit, "classes"))
    out.push_back(fmt::format("{} {}", at(one, "count").dump(), at(one, "name").get<std::string>()));
  return fmt::format("{}", fmt::join(out, ", "));
}

const char* prepared_as(Transform transform) {
  switch (transform) {
    case Transform::none:
      return "Values are taken as they are.";
    case Transform::asinh:
      return "Values become asinh((value - median)/spread), median and spread of each sample's own features.";
    case Transform::rank:
      return "Values become normal scores of their ranks within each sample.";
    case Transform::log1p:
      return "Values become ln(1 + value).";
    case Transform::feature_asinh:
      return "Values become asinh((value - median)/spread), median and spread of each feature over the training "
             "samples.";
  }
  return "";
}

std::string preparation_words(const Preprocessing& p) {
  std::string out = prepared_as(p.transform);
  out += p.unit_variance ? " Features are then centred and brought to unit variance by the training samples"
                         : " Features are then centred by the training samples";
  if (p.directions > 0) out += fmt::format(", and turned to {} principal directions", p.directions);
  return out + ". Nothing of it is fitted to new samples.";
}

std::string predictors_words(const Model& model) {
  const Preprocessing& p = model.preprocessing;
  std::string out = fmt::format(
      "{} features, of which {} vary and take part; all are candidates, none was chosen "
      "beforehand by the labels.",
      p.feature_names.size(), p.kept.size());
  std::vector<std::string> covariates;
  for (const CovariateEncoding& c : p.covariates)
    covariates.push_back(c.category.empty() ? c.name : c.name + "=" + c.category);
  if (!covariates.empty()) out += fmt::format(" Always kept: {}.", fmt::join(covariates, ", "));
  return out;
}

std::string method_words(const Json& fit, const Model& model) {
  const Json& seed = at(fit, "seed");
  const Json& version = at(fit, "version");
  return fmt::format(
      "Sparse Bayesian classifier with a pruning prior (Uda and Kabashima, J. Phys. Soc. Jpn. 74, 2233, 2005), cavity "
      "{}{}: solver {} ({}), activation {}; {} cells of density and noise mixed by the log score of samples left out. "
      "There is no tuning outside the fit.",
      version.is_string() ? version.get<std::string>() : "of a version that the file does not say",
      seed.is_number() ? fmt::format(", seed {}", seed.dump()) : "", at(fit, "solver").get<std::string>(),
      at(fit, "solver_reason").get<std::string>(), to_string(model.first_mixture().activation),
      at(at(fit, "questions").at(0), "grid").size());
}

std::string left_out_words(const Json& fit) {
  const Json& groups = at(fit, "sample_groups");
  const Json& folds = at(fit, "folds");
  if (folds.is_number() && folds.get<int>() > 0) return fmt::format("Cross-validation in {} folds.", folds.dump());
  if (groups.is_number() && groups.get<int>() > 0)
    return fmt::format(
        "Internal validation leaves out each of {} groups of samples as a whole; intervals are between groups.",
        groups.dump());
  return "Internal validation leaves out each sample, read off the cavity fields of the one fit.";
}

/// A sentence of its own.
std::string verdict_sentence(const Json& fit) {
  std::string out = at(at(fit, "verdict"), "text").get<std::string>();
  if (out.empty()) return out;
  out.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(out.front())));
  return out + ".";
}

std::string performance_words(const Json& fit) {
  return fmt::format(
      "Left out: error {}{}, log loss {}, Brier score {}, balanced accuracy {}. Always guessing the commonest class: "
      "error {}. {}",
      percent(at(fit, "loo_error")), range(at(fit, "loo_error_interval")), number(at(fit, "loo_log_loss")),
      number(at(fit, "brier")), percent(at(fit, "balanced_accuracy")), percent(at(fit, "baseline_error")),
      verdict_sentence(fit));
}

std::string by_class_words(const Json& fit) {
  std::string out;
  for (const Json& q : at(fit, "questions"))
    out += fmt::format("{}{}: sensitivity {}{}, specificity {}{}, AUC {}{}.", out.empty() ? "" : " ",
                       at(q, "class").get<std::string>(), percent(at(q, "sensitivity")),
                       range(at(q, "sensitivity_interval")), percent(at(q, "specificity")),
                       range(at(q, "specificity_interval")), number(at(q, "auc")), range(at(q, "auc_interval"), false));
  return out;
}

std::string calibration_words(const Json& fit) {
  const Json& c = at(fit, "calibration");
  const bool recalibrated = at(c, "recalibrated").is_boolean() && at(c, "recalibrated").get<bool>();
  return fmt::format("Probabilities {} on samples left out. Calibration on new samples: `cavity validate`.",
                     recalibrated ? "were recalibrated" : "stand as the mixture says them, by what they are");
}

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> out;
  for (const Json& one : list)
    out.push_back(one.is_string() ? spell_options(one.get<std::string>(), OptionStyle::flags)
                                  : fmt::format("{}: {}", at(one, "name").get<std::string>(),
                                                spell_options(at(one, "text").get<std::string>(), OptionStyle::flags)));
  return out;
}

/// Of two classes the second alone: the first's is 0.
std::string odds_words(const Json& intercept, const std::vector<std::string>& class_names) {
  std::vector<std::string> out;
  for (std::size_t k = class_names.size() == 2 ? 1 : 0; k < class_names.size() && k < intercept.size(); ++k)
    out.push_back(
        fmt::format("{} {}", shown(class_names[k]),
                    intercept[k].is_number() ? fmt::format("{:+.2f}", intercept[k].get<double>()) : "not known"));
  return fmt::format("log odds by {}", fmt::join(out, ", "));
}

std::vector<std::string> adaptation_words(const Json& fit, const std::vector<std::string>& class_names) {
  std::vector<std::string> out;
  for (const Json& one : at(fit, "adapted")) {
    const std::string odds = odds_words(at(one, "intercept"), class_names);
    out.push_back(at(one, "samples") == 0 ? fmt::format("Adapted to other shares of the classes: {}.", odds)
                                          : fmt::format("Adapted on {} labelled samples of another site: {}, slope {}.",
                                                        at(one, "samples").dump(), odds, number(at(one, "slope"), 2)));
  }
  return out;
}

}  // namespace

StudyWords study_words(const Model& model) {
  const Json fit = Json::parse(model_summary(model));
  const bool bent = model.first_mixture().bent.share > 0, rows = model.training.values.rows > 0;
  const std::string samples = at(fit, "samples").dump();
  const std::string label = model.label_name.empty() ? "label" : model.label_name;
  StudyWords out;
  out.title = fmt::format("Development of a classifier of {} ({})", label, fmt::join(model.class_names, ", "));
  out.participants = fmt::format("{} samples with a label: {}.", samples, class_counts(fit));
  out.outcome =
      fmt::format("`{}`, {} classes: {}.", label, model.class_names.size(), fmt::join(model.class_names, ", "));
  out.predictors = predictors_words(model);
  out.preparation = preparation_words(model.preprocessing);
  out.missing = fmt::format("In training a missing value took its feature's mean. In new samples {}.",
                            rows ? "absent features and missing values are told by the others, as the training samples "
                                   "have them, and the probabilities are as much less sure"
                                 : "a missing value takes the training mean, and absent features are refused");
  out.sample_size = fmt::format("{} samples for {} features; no calculation of it is in the file.", samples,
                                at(fit, "kept_features").dump());
  out.method = method_words(fit, model);
  out.left_out = left_out_words(fit);
  out.performance = performance_words(fit);
  out.by_class = by_class_words(fit);
  out.calibration = calibration_words(fit);
  out.boundary = bent
                     ? "The boundary is bent in part: a kernel of distances to the training samples has a share in the "
                       "answer, and weights say the straight part alone."
                     : "The boundary is straight: weighted sums of the prepared features.";
  const Json& prior = at(fit, "class_prior");
  out.classes_as_they_are = prior.is_null()
                                ? "Classes count as often as they are in the training samples; none was "
                                  "weighed, duplicated or left out."
                                : fmt::format("Probabilities are for classes with shares {}.", prior.dump());
  out.specification = "All of it is in the model file; weights with inclusion probabilities: `cavity features MODEL`.";
  out.use =
      "`cavity predict MODEL DATA` gives a probability for every class and the likeliest class of each sample; "
      "`--confidence 0.9` a set of classes that holds the true one at that rate.";
  out.updates = "`cavity adapt MODEL DATA -o NEW` brings probabilities to another site's frequencies.";
  out.warnings = texts(at(fit, "warnings"));
  out.notes = texts(at(fit, "notes"));
  out.adaptations = adaptation_words(fit, model.class_names);
  return out;
}

}  // namespace cavity
