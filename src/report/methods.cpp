#include "report/methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "assess/guessing.hpp"
#include "file/messages.hpp"
#include "report/text_parts.hpp"

namespace cavity {

namespace {

std::string percent_range(const Interval& i) {
  return fmt::format("95 % interval {:.1f} to {:.1f} %", 100 * i.low, 100 * i.high);
}

std::string class_counts(const Fit& fit) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < fit.data.class_counts.size(); ++k)
    out.push_back(fmt::format("{} {}", fit.data.class_counts[k], plain(fit.model.class_names[k])));
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string what_was_fitted(const Fit& fit) {
  return fmt::format("A sparse Bayesian classifier (cavity {}; Uda and Kabashima 2005) was fitted to {} ({}) and {}.",
                     CAVITY_VERSION, counted(fit.data.samples, "sample"), class_counts(fit),
                     counted(fit.data.features, "feature"));
}

std::string transform_words(Transform transform) {
  switch (transform) {
    case Transform::asinh:
      return "asinh of its distance from the sample's median, in units of the sample's spread";
    case Transform::rank:
      return "its normal score within the sample";
    case Transform::log1p:
      return "ln(1 + value)";
    case Transform::feature_asinh:
      return "asinh of its distance from the feature's median, in units of the feature's spread";
    case Transform::none:
      break;
  }
  return "";
}

std::string preparation(const Fit& fit) {
  const Preprocessing& p = fit.model.preprocessing;
  const std::string transform = transform_words(p.transform);
  std::string out = transform.empty() ? "" : fmt::format("Every value was replaced by {}. ", transform);
  out += p.unit_variance ? "Features were centred and scaled to unit variance" : "Features were centred";
  if (p.directions > 0) out += fmt::format(", and turned into {} principal directions", p.directions);
  if (const std::size_t left = fit.data.features - p.kept.size(); left > 0 && p.directions == 0)
    out += fmt::format("; {} left out (constant, or too rare)", counted(left, "feature"));
  std::set<std::string> always;
  for (const CovariateEncoding& c : p.covariates) always.insert(c.name);
  return always.empty() ? out + "." : fmt::format("{}; {} were always kept.", out, fmt::join(always, ", "));
}

/// Of all questions.
struct Cells {
  std::size_t solved = 0, weighty = 0;
  bool folds = false;
};
Cells cells_of(const Fit& fit) {
  Cells out;
  for (const QuestionFit& q : fit.questions)
    for (const Cell& c : q.grid) {
      ++out.solved;
      out.weighty += c.weight > 0 ? 1 : 0;
      out.folds = out.folds || (c.weight > 0 && c.by_folds);
    }
  return out;
}

std::string inference(const Fit& fit) {
  const Cells cells = cells_of(fit);
  if (cells.solved == fit.questions.size())
    return fmt::format("Density {:.4g} and noise {:.4g} were given ({}).", fit.questions.front().chosen_cell().density,
                       fit.questions.front().chosen_cell().noise, fit.solver().name);
  const std::string asked =
      fit.questions.size() > 1 ? " Each class was set against the others, and their fields joined by a softmax." : "";
  const std::string mixed =
      cells.weighty > fit.questions.size()
          ? fmt::format("{} of them with weights that give the best leave-one-out log score were mixed", cells.weighty)
          : std::string("the best of them was taken");
  return fmt::format(
      "How many features matter and how many labels are wrong was not set: {} of both were solved ({}), and {}.{}",
      counted(cells.solved, "pair"), fit.solver().name, mixed, asked);
}

std::string how_left_out(const Fit& fit) {
  if (fit.loo.groups > 0)
    return fmt::format("Each of the {} groups of samples was left out as a whole", fit.loo.groups);
  return cells_of(fit).folds ? "Every sample was left out in turn (by cavity fields; where few features are kept, by "
                               "solutions without a fifth of the samples)"
                             : "Every sample was left out in turn (by cavity fields, without refits)";
}

std::string accuracy(const Fit& fit) {
  const LooEstimate& loo = fit.loo;
  if (loo.probability.empty()) return "";
  const Guess guess = best_guess(fit.data.class_counts, fit.data.class_prior);
  std::string out =
      fmt::format("{}: error {:.1f} % ({}; always guessing {}: {:.1f} %), log loss {:.3f} (guessing {:.3f})",
                  how_left_out(fit), 100 * loo.error, percent_range(loo.error_interval),
                  fit.model.class_names[guess.of_class], 100 * guess.error, loo.log_loss, guess.log_loss);
  if (fit.questions.size() > 1) return fmt::format("{}, balanced accuracy {:.1f} %.", out, 100 * loo.balanced_accuracy);
  const Accuracy& a = fit.questions.front().accuracy;
  return fmt::format(
      "{}, area under the ROC {:.3f} (95 % interval {:.3f} to {:.3f}), sensitivity {:.1f} % ({}) and specificity "
      "{:.1f} % ({}) for {}.",
      out, a.auc, a.auc_interval.low, a.auc_interval.high, 100 * a.sensitivity, percent_range(a.sensitivity_interval),
      100 * a.specificity, percent_range(a.specificity_interval), plain(fit.model.class_names[1]));
}

std::string test(const Fit& fit) {
  const PermutationFit& p = fit.permutation;
  if (!p.known()) return fmt::format("The labels were not permuted ({}).", p.why_none);
  return fmt::format(
      "Against {} permutations of the labels, all features together and the strongest alone gave p = {:.2g}: the "
      "features {} the classes apart{}.",
      p.permutations, p.p, p.shown() ? "tell" : "are not shown to tell",
      fit.covariates_alone ? " beyond the covariates" : "");
}

std::string relevance(const Fit& fit) {
  if (fit.permutation.not_shown()) return "No feature is therefore reported.";
  const std::vector<Feature> top = ranked_features(fit.model, 1);
  if (top.empty() || fit.model.preprocessing.directions > 0) return "";
  const QuestionFit& first = fit.questions.front();
  const std::string average =
      first.hypotheses.empty()
          ? std::string("A feature's inclusion is the posterior probability that it is kept")
          : fmt::format(
                "A feature's inclusion is its posterior probability of mattering, averaged by evidence over {} "
                "hypotheses of how many do, none among them",
                first.hypotheses.size());
  const std::string many = fit.questions.size() == 1 && first.relevant
                               ? fmt::format(" ({:.3g} are expected to, 95 % interval {:.0f} to {:.0f})",
                                             first.relevant->mean, first.relevant->low, first.relevant->high)
                               : "";
  return fmt::format("{}{}; the largest is {:.2f} ({}).", average, many, top[0].inclusion, top[0].name);
}

}  // namespace

std::string methods_words(const Fit& fit) {
  if (fit.loo.folds > 0) return "";
  std::string out;
  for (const std::string& part :
       {what_was_fitted(fit), preparation(fit), inference(fit), test(fit), accuracy(fit), relevance(fit)})
    if (!part.empty()) out += (out.empty() ? "" : " ") + part;
  return out;
}

}  // namespace cavity
