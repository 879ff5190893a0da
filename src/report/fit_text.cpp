#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "assess/guessing.hpp"
#include "cavity/report.hpp"
#include "report/several_text.hpp"

namespace cavity {

namespace {

struct Style {
  bool colour;
  std::string bold(const std::string& text) const { return colour ? "\x1b[1m" + text + "\x1b[0m" : text; }
  std::string warning(const std::string& text) const { return colour ? "\x1b[33m" + text + "\x1b[0m" : text; }
};

std::string header(const Fit& fit, const Style& style) {
  const auto& names = fit.model.class_names;
  const bool two = fit.questions.size() == 1;
  std::string out = !two ? style.bold(several_header(fit))
                         : style.bold(fmt::format("{} samples ({} {}, {} {}), {} features\n", fit.data.samples,
                                                  fit.data.class_counts[1], names[1], fit.data.class_counts[0],
                                                  names[0], fit.data.features));
  if (two) out += fmt::format("  positive class: {}\n", names[1]);
  for (const auto& note : fit.data.notes) out += fmt::format("  {}\n", note);
  out += fmt::format("  solver: {} ({}), {} activation\n", fit.solver().name, fit.solver().why,
                     to_string(fit.model.first_mixture().activation));
  return out;
}

/// First of all: is there anything to find?
std::string verdict(const Fit& fit, const Style& style) {
  const PermutationFit& p = fit.permutation;
  if (fit.loo.folds > 0) return "";
  if (!p.known()) return fmt::format("no permutation test: {}\n", p.why_none);
  const std::string by = fmt::format(
      "p = {:.2g} by {} permutations of the labels (all together {:.2g}, the strongest "
      "alone {:.2g})",
      p.p, p.permutations, p.p_together, p.p_strongest);
  return p.shown() ? style.bold("the features tell the classes apart: " + by) + "\n"
                   : style.warning("the features are not shown to tell the classes apart: " + by) + "\n";
}

/// What the errors are by.
std::string left_out(const LooEstimate& loo) { return loo.groups > 0 ? "leave-one-group-out" : "leave-one-out"; }

/// Where it is not that of the head: sampled rows soften the boundary by the features that they keep.
std::string width_of_row(std::span<const Cell> row, std::span<const Cell> head) {
  for (std::size_t j = 0; j < row.size(); ++j)
    if (row[j].status != "not visited" && row[j].width != head[j].width)
      return fmt::format("  width {:.3g}", row[j].width);
  return "";
}

// A row a density, a column a noise: leave-one-out error, * the chosen cell, marks for cells that take no part.
std::string grid_table(const Fit& fit) {
  const QuestionFit& question = fit.questions.front();
  std::vector<double> densities;
  for (const Cell& c : question.grid)
    if (densities.empty() || densities.back() != c.density) densities.push_back(c.density);
  const std::size_t columns = question.grid.size() / densities.size();
  std::string out = fmt::format("\n{} error by density (rows) and noise (columns)\n", left_out(fit.loo));
  out += fmt::format("{:>10} {:>8}", "density", "kept");
  for (std::size_t j = 0; j < columns; ++j) out += fmt::format(" {:>8.3g}", question.grid[j].noise);
  out += "\n";
  if (std::any_of(question.grid.begin(), question.grid.end(), [](const Cell& c) { return c.width > 0; })) {
    out += fmt::format("{:>19}", "width");
    for (std::size_t j = 0; j < columns; ++j) out += fmt::format(" {:>8.3g}", question.grid[j].width);
    out += "\n";
  }
  bool failed = false, unmixed = false, unvisited = false;
  for (std::size_t i = 0; i < densities.size(); ++i) {
    const double kept = densities[i] * static_cast<double>(fit.model.preprocessing.inputs());
    out += fmt::format("{:>10.4g} {:>8.0f}", densities[i], kept);
    for (std::size_t j = 0; j < columns; ++j) {
      const Cell& c = question.grid[i * columns + j];
      const bool visited = c.status != "not visited";
      const bool mixed = c.status != "not mixed", fine = c.status == "converged" || !visited;
      const char mark = i * columns + j == question.chosen ? '*' : fine ? ' ' : mixed ? '!' : '~';
      unvisited = unvisited || !visited;
      failed = failed || mark == '!';
      unmixed = unmixed || mark == '~';
      out += std::isfinite(c.loo_error) ? fmt::format(" {:>7.3f}{}", c.loo_error, mark)
                                        : fmt::format(" {:>7}{}", "-", mark);
    }
    out += width_of_row({question.grid.data() + i * columns, columns}, {question.grid.data(), columns}) + "\n";
  }
  out += "* " + std::string(question.grid.size() > 1 ? "the heaviest cell" : "the cell") +
         (failed ? ", ! not converged" : "") + (unmixed ? ", ~ chains have not mixed" : "") +
         (unvisited ? ", - not visited: the path had ended\n" : "\n");
  return out;
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

std::string accuracy_words(const Fit& fit) {
  if (fit.loo.probability.empty()) return "";
  const Accuracy& a = fit.questions.front().accuracy;
  const auto& names = fit.model.class_names;
  const auto range = [](const Interval& i, double unit, int digits) {
    return fmt::format("{:.{}f} to {:.{}f}", unit * i.low, digits, unit * i.high, digits);
  };
  return fmt::format(
      "  95 % interval of the error {} %\n"
      "  sensitivity {:.1f} % ({} of {} {}), specificity {:.1f} % ({} of {} {}), balanced accuracy {:.1f} %\n"
      "  AUC {:.3f} ({}), Brier score {:.3f}\n",
      range(fit.loo.error_interval, 100, 1), 100 * a.sensitivity, a.true_positive, a.true_positive + a.false_negative,
      names[1], 100 * a.specificity, a.true_negative, a.true_negative + a.false_positive, names[0],
      100 * fit.loo.balanced_accuracy, a.auc, range(a.auc_interval, 1, 3), fit.loo.brier);
}

std::string result(const Fit& fit, const Style& style) {
  const QuestionFit& question = fit.questions.front();
  const Cell& chosen = question.chosen_cell();
  const auto cells =
      std::count_if(question.grid.begin(), question.grid.end(), [](const Cell& c) { return c.weight > 0; });
  std::string out;
  if (cells > 1)
    out += fmt::format("\nmixture of {} cells; the heaviest ({:.0f} %): density {:.4g}, noise {:.4g}\n", cells,
                       100 * chosen.weight, chosen.density, chosen.noise);
  else
    out += fmt::format("\nchosen: density {:.4g}, noise {:.4g} ({}, {} updates, residual {:.1e})\n", chosen.density,
                       chosen.noise, chosen.status, chosen.iterations, chosen.residual);
  const Guess guess = best_guess(fit.data.class_counts, fit.data.class_shares);
  out += style.bold(left_out(fit.loo) + " error " + error_words(fit.loo));
  out += fmt::format(" (always guessing {}: {:.1f} %), log loss {:.3f}, training error {:.1f} %\n",
                     fit.model.class_names[guess.of_class], 100 * guess.error, fit.loo.log_loss,
                     100 * question.train_error);
  out += accuracy_words(fit);
  if (fit.model.recalibrated()) out += "probabilities recalibrated on the " + left_out(fit.loo) + " predictions\n";
  if (question.loo_check) out += check(*question.loo_check, fit.loo.groups > 0, chosen.by_folds);
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

std::string features(const Fit& fit, std::size_t top) {
  std::string out = fmt::format("\n{:<24} {:>9} {:>12}\n", "feature", "inclusion", "weight");
  for (const Feature& f : ranked_features(fit.model, top))
    out += fmt::format("{:<24} {:>9.3f} {:>12.4g}\n", f.name.substr(0, 60), f.inclusion, f.weight);
  std::size_t shown = 0;
  for (const auto& group : fit.model.correlated) {
    double sum = 0;
    std::string names;
    for (const auto l : group) {
      sum += fit.model.questions.front().features.inclusion[l];
      names += (names.empty() ? "" : ", ") + fit.model.preprocessing.feature_names[l];
    }
    if (sum < 0.1 || ++shown > 5) continue;
    out += fmt::format("group ({:.3f} together): {}\n", std::min(sum, 1.0), names.substr(0, 100));
  }
  return out;
}

std::string covariates_alone(const Fit& fit) {
  if (!fit.covariates_alone) return "";
  const CovariatesAlone& a = *fit.covariates_alone;
  return fmt::format(
      "covariates alone: leave-one-out error {:.1f} %, log loss {:.3f}; the features take away {:.1f} % +- "
      "{:.1f} % of error, {:.3f} +- {:.3f} of log loss\n",
      100 * a.error, a.log_loss, 100 * a.error_gain, 100 * a.error_gain_se, a.log_loss_gain, a.log_loss_gain_se);
}

std::string covariates(const Fit& fit) {
  const std::vector<Feature> list = covariate_features(fit.model);
  if (list.empty()) return "";
  std::string out = fmt::format("\n{:<24} {:>12} {:>12}\n", "covariate (always kept)", "weight", "sd");
  for (const Feature& c : list)
    out += fmt::format("{:<24} {:>12.4g} {:>12.4g}\n", c.name.substr(0, 60), c.weight, c.sd);
  return out + covariates_alone(fit);
}

// A line a place: who fills it, most frequent first.
std::string credible_sets(const Model& model) {
  constexpr std::size_t most_lines = 6, most_names = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(most_lines, model.questions.front().features.credible_sets.size()); ++i) {
    const CredibleSet& set = model.questions.front().features.credible_sets[i];
    std::string names;
    for (std::size_t k = 0; k < std::min(most_names, set.features.size()); ++k)
      names += fmt::format("{}{} ({:.2f})", k > 0 ? ", " : "", model.preprocessing.feature_names[set.features[k]],
                           set.share[k]);
    const std::size_t left = set.features.size() - std::min(most_names, set.features.size());
    if (left > 0) names += fmt::format(" and {} more", left);
    if (i == 0)
      out += fmt::format(
          "\ncredible sets: with which probability one of these is kept, and each one's share; that few features "
          "decide has a weight of {:.2f}\n",
          model.first_mixture().sampled_weight());
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

std::string two_classes(const Fit& fit, const Style& style, std::size_t top) {
  const std::string found = fit.loo.folds > 0 ? baseline_result(fit, style) : grid_table(fit) + result(fit, style);
  return found + features(fit, top) + credible_sets(fit.model) + covariates(fit);
}

}  // namespace

std::string fit_text(const Fit& fit, bool colour, std::size_t top) {
  const Style style{colour};
  std::string out = header(fit, style) + verdict(fit, style);
  if (fit.questions.size() > 1)
    out += several_result(fit, style.bold("leave-one-out error " + error_words(fit.loo))) +
           several_features(fit.model, top) + covariates_alone(fit);
  else
    out += two_classes(fit, style, top);
  if (fit.loo.folds == 0) out += resources(fit.resources);
  for (const Warning& w : fit.warnings)
    out += style.warning(fmt::format("\nwarning [{}]: {}\n  cure: {}\n", w.name, w.text, w.cure));
  return out;
}

}  // namespace cavity
