#include <fmt/format.h>

#include <algorithm>

#include "assess/guessing.hpp"
#include "cavity/report.hpp"
#include "report/block_report.hpp"
#include "report/boundary_report.hpp"
#include "report/text_parts.hpp"
#include "report/verdict.hpp"

namespace cavity {

namespace {

struct Style {
  bool colour;
  std::string bold(const std::string& text) const { return colour ? "\x1b[1m" + text + "\x1b[0m" : text; }
  std::string warning(const std::string& text) const { return colour ? "\x1b[33m" + text + "\x1b[0m" : text; }
};

/// Of two classes the positive one, which is asked for, first.
std::string class_list(const Fit& fit) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < fit.data.class_counts.size(); ++k)
    out.push_back(fmt::format("{} {}", fit.data.class_counts[k], plain(fit.model.class_names[k])));
  if (fit.questions.size() == 1) std::reverse(out.begin(), out.end());
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string header(const Fit& fit, const Style& style) {
  const bool one = fit.questions.size() == 1;
  std::string out = style.bold(fmt::format("{} samples {}({}), {} features\n", fit.data.samples,
                                           one ? "" : fmt::format("of {} classes ", fit.data.class_counts.size()),
                                           class_list(fit), fit.data.features));
  if (one) out += fmt::format("  positive class: {}\n", plain(fit.model.class_names[1]));
  for (const auto& note : fit.data.notes) out += fmt::format("  {}\n", plain(note));
  out += fmt::format("  solver: {} ({}), {} activation\n", fit.solver().name, fit.solver().why,
                     to_string(fit.model.first_mixture().activation));
  return out;
}

/// The first line.
std::string verdict(const Fit& fit, const Style& style) {
  const std::string words = verdict_words(fit);
  if (words.empty() || !fit.permutation.known()) return words.empty() ? "" : words + "\n";
  return (fit.permutation.shown() ? style.bold(words) : style.warning(words)) + "\n";
}

std::string check(const LooCheck& by, bool groups, bool folds) {
  std::string out =
      fmt::format("checked by {} refits{}: largest difference of a probability {:.3f}, mean {:.3f}, {} labels change\n",
                  by.refits, groups ? fmt::format(" without a group ({} samples)", by.checked) : "",
                  by.largest_difference, by.mean_difference, by.changed_labels);
  if (folds) out += "  (the cell's own probabilities are by folds, with a fifth of the samples left out at a time)\n";
  if (by.failed > 0)
    out += fmt::format("{} of the {} refits asked for did not converge and {} nothing\n", by.failed,
                       by.failed + by.refits, by.failed == 1 ? "says" : "say");
  return out;
}

/// Without an error the standard error would be 0, too, and say nothing.
std::string error_words(const LooEstimate& loo) {
  if (loo.error > 0) return fmt::format("{:.1f} % +- {:.1f} %", 100 * loo.error, 100 * loo.error_se);
  return fmt::format("0.0 %, at most {:.1f} %", 100 * loo.error_interval.high);
}

std::string range(const Interval& i, double unit, int digits) {
  return fmt::format("{:.{}f} to {:.{}f}", unit * i.low, digits, unit * i.high, digits);
}

std::string accuracy_words(const Fit& fit) {
  if (fit.loo.probability.empty()) return "";
  const std::string error = fmt::format("  95 % interval of the error {} %", range(fit.loo.error_interval, 100, 1)),
                    balanced = fmt::format("balanced accuracy {:.1f} %", 100 * fit.loo.balanced_accuracy),
                    brier = fmt::format("Brier score {:.3f}\n", fit.loo.brier);
  if (fit.questions.size() > 1) return fmt::format("{}, {}, {}", error, balanced, brier);
  const Accuracy& a = fit.questions.front().accuracy;
  const std::string negative = plain(fit.model.class_names[0]), positive = plain(fit.model.class_names[1]);
  return fmt::format(
      "{}\n  sensitivity {:.1f} % ({} of {} {}), specificity {:.1f} % ({} of {} {}), {}\n  AUC {:.3f} ({}), {}", error,
      100 * a.sensitivity, a.true_positive, a.true_positive + a.false_negative, positive, 100 * a.specificity,
      a.true_negative, a.true_negative + a.false_positive, negative, balanced, a.auc, range(a.auc_interval, 1, 3),
      brier);
}

/// The cells that speak, of the only question.
std::string mixture_words(const QuestionFit& question) {
  const Cell& chosen = question.chosen_cell();
  const auto cells =
      std::count_if(question.grid.begin(), question.grid.end(), [](const Cell& c) { return c.weight > 0; });
  if (cells > 1)
    return fmt::format("\nmixture of {} cells; the heaviest ({:.0f} %): density {:.4g}, noise {:.4g}\n", cells,
                       100 * chosen.weight, chosen.density, chosen.noise);
  return fmt::format("\nchosen: density {:.4g}, noise {:.4g} ({}, {} updates, residual {:.1e})\n", chosen.density,
                     chosen.noise, chosen.status, chosen.iterations, chosen.residual);
}

/// How the questions' probabilities became those of classes.
std::string calibration_words(const Fit& fit) {
  const Model& model = fit.model;
  const Joining& joining = model.calibration.joining;
  if (joining.offset.empty())
    return model.recalibrated() ? "probabilities recalibrated on the " + left_out(fit.loo) + " predictions\n" : "";
  const bool offsets =
      std::any_of(joining.offset.begin(), joining.offset.end(), [](double offset) { return offset != 0; });
  const std::string together = model.calibration.together.share > 0
                                   ? fmt::format("; a fit of all classes at once has a share of {:.0f} %",
                                                 100 * model.calibration.together.share)
                                   : "";
  return fmt::format("joined by a softmax of the classes' fields: temperature {:.3g}{}{}{}\n", joining.temperature,
                     offsets ? ", an offset a class" : "", joining.coupling.empty() ? "" : ", couplings", together);
}

std::string result(const Fit& fit, const Style& style) {
  const bool one = fit.questions.size() == 1;
  const QuestionFit& question = fit.questions.front();
  std::string out = one ? grid_table(fit) + mixture_words(question) : class_table(fit) + confusion_table(fit) + "\n";
  const Guess guess = best_guess(fit.data.class_counts, fit.data.class_prior);
  out += style.bold(left_out(fit.loo) + " error " + error_words(fit.loo));
  out += fmt::format(" (always guessing {}: {:.1f} %), log loss {:.3f}", plain(fit.model.class_names[guess.of_class]),
                     100 * guess.error, fit.loo.log_loss);
  if (one) out += fmt::format(", training error {:.1f} %", 100 * question.train_error);
  out += fmt::format("\n{}{}{}", accuracy_words(fit), calibration_words(fit), boundary_text(fit));
  if (const std::string forecast = forecast_words(fit); !forecast.empty()) out += forecast + "\n";
  for (const QuestionFit& q : fit.questions)
    if (q.loo_check) out += check(*q.loo_check, fit.loo.groups > 0, q.chosen_cell().by_folds);
  return out;
}

// A baseline has no grid: one point, judged by cross-validation.
std::string baseline_result(const Fit& fit, const Style& style) {
  const QuestionFit& question = fit.questions.front();
  const Cell& cell = question.grid.front();
  std::string out = fmt::format("\n{}: {}, {} updates, {:.0f} features in use\n", fit.solver().name, cell.status,
                                cell.iterations, cell.density * static_cast<double>(fit.model.preprocessing.inputs()));
  out += style.bold("cross-validated error " + error_words(fit.loo));
  out += fmt::format(" ({} folds), log loss {:.3f}, training error {:.1f} %\n", fit.loo.folds, fit.loo.log_loss,
                     100 * question.train_error);
  return out + accuracy_words(fit);
}

/// Of more than two classes, with the one that each speaks for.
std::string features(const Fit& fit, std::size_t top) {
  const bool one = fit.questions.size() == 1;
  const auto class_column = [one](const std::string& name) { return one ? "" : fmt::format(" {:<16}", name); };
  const std::string doubt = not_shown_words(fit.model);
  std::string out = (doubt.empty() ? "" : "\n" + doubt + ": inclusions are what chance leaves over") +
                    fmt::format("\n{:<24} {:>9}{} {:>12}\n", "feature", "inclusion", class_column("class"), "weight");
  for (const Feature& f : ranked_features(fit.model, top))
    out += fmt::format("{:<24} {:>9.3f}{} {:>12.4g}\n", wide_name(f.name), f.inclusion,
                       class_column(short_name(fit.model.class_names[f.of_class])), f.weight);
  if (!one)
    out +=
        "inclusion: the largest over the classes, each against the rest; `cavity features MODEL --class NAME` lists "
        "one\n";
  std::size_t shown = 0;
  const std::vector<double> inclusion = overall_features(fit.model).inclusion;
  for (const auto& together : fit.model.correlated) {
    double sum = 0;
    std::string names;
    for (const auto l : together) {
      sum += inclusion[l];
      names += (names.empty() ? "" : ", ") + plain(fit.model.preprocessing.feature_names[l]);
    }
    if (sum < 0.1 || ++shown > 5) continue;
    out += fmt::format("correlated ({:.3f} together): {}\n", std::min(sum, 1.0), names.substr(0, 100));
  }
  return out;
}

std::string covariates_alone(const Fit& fit) {
  if (!fit.covariates_alone) return "";
  const CovariatesAlone& a = *fit.covariates_alone;
  const std::string gain =
      fit.permutation.not_shown()
          ? "it is not shown that the features take away any of it"
          : fmt::format("the features take away {:.1f} % +- {:.1f} % of error, {:.3f} +- {:.3f} of log loss",
                        100 * a.error_gain, 100 * a.error_gain_se, a.log_loss_gain, a.log_loss_gain_se);
  return fmt::format("covariates alone: leave-one-out error {:.1f} %, log loss {:.3f}; {}\n", 100 * a.error, a.log_loss,
                     gain);
}

/// What is always kept: of more than two classes the list of each is in the JSON.
std::string covariates(const Fit& fit) {
  const std::vector<Feature> list = covariate_features(fit.model);
  if (list.empty() || fit.questions.size() > 1) return covariates_alone(fit);
  std::string out = fmt::format("\n{:<24} {:>12} {:>12}\n", "covariate (always kept)", "weight", "sd");
  for (const Feature& c : list) out += fmt::format("{:<24} {:>12.4g} {:>12.4g}\n", wide_name(c.name), c.weight, c.sd);
  return out + covariates_alone(fit);
}

// A line a place: who fills it, most frequent first.
std::string credible_sets(const Model& model, std::size_t question) {
  constexpr std::size_t most_lines = 6, most_names = 8;
  const std::vector<CredibleSet>& sets = model.questions[question].features.credible_sets;
  std::string out;
  for (std::size_t i = 0; i < std::min(most_lines, sets.size()); ++i) {
    const CredibleSet& set = sets[i];
    std::string names;
    for (std::size_t k = 0; k < std::min(most_names, set.features.size()); ++k)
      names += fmt::format("{}{} ({:.2f})", k > 0 ? ", " : "",
                           plain(model.preprocessing.feature_names[set.features[k]]), set.share[k]);
    const std::size_t left = set.features.size() - std::min(most_names, set.features.size());
    if (left > 0) names += fmt::format(" and {} more", left);
    if (i == 0)
      out += fmt::format(
          "\ncredible sets{}: with which probability one of these is kept, and each one's share; that few features "
          "decide has a probability of {:.2f}\n",
          model.questions.size() > 1 ? " of " + plain(model.class_names[question]) : "",
          model.questions[question].few());
    out += fmt::format("{:.3f}: {}\n", set.probability, names);
  }
  return out;
}

std::string resources(const Resources& used) {
  std::string out = fmt::format("\nused: {} process{} with {} thread{}, {:.3g} MB of features", used.processes,
                                used.processes == 1 ? "" : "es", used.threads, used.threads == 1 ? "" : "s",
                                1e-6 * static_cast<double>(used.bytes));
  if (used.processes > 1) out += fmt::format(" a process, {:.2f} s in communication", used.communication_seconds);
  if (used.resumed_cells > 0)
    out += fmt::format(", {} cell{} from the checkpoint", used.resumed_cells, used.resumed_cells == 1 ? "" : "s");
  return out + "\n";
}

}  // namespace

std::string fit_text(const Fit& fit, bool colour, std::size_t top) {
  const Style style{colour};
  std::string out = verdict(fit, style) + header(fit, style);
  out += fit.loo.folds > 0 ? baseline_result(fit, style) : result(fit, style);
  out += features(fit, top);
  if (!fit.permutation.not_shown())
    for (std::size_t k = 0; k < fit.questions.size(); ++k) out += credible_sets(fit.model, k);
  out += covariates(fit) + blocks_text(fit);
  if (fit.loo.folds == 0) out += resources(fit.resources);
  for (const Warning& w : fit.warnings)
    out += style.warning(fmt::format("\nwarning [{}]: {}\n  cure: {}\n", w.name, plain(w.text), plain(w.cure)));
  return out;
}

}  // namespace cavity
