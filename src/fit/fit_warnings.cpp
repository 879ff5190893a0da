#include "fit/fit_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assess/deal_folds.hpp"
#include "file/lower_case.hpp"
#include "file/messages.hpp"
#include "fit/answer.hpp"
#include "fit/stack.hpp"
#include "model/negligible.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_shown = 5;  // of pairs, of columns
constexpr const char* places_solver = "places";

template <class Condition>
std::size_t count_cells(const QuestionFit& fit, const Condition& condition) {
  return static_cast<std::size_t>(std::count_if(fit.grid.begin(), fit.grid.end(), condition));
}

/// Whether not every noise was followed to every density: what fails ends a path.
bool path_ended(const QuestionFit& fit) {
  std::vector<double> densities, columns;
  for (const Cell& c : fit.grid) {
    densities.push_back(c.density);
    columns.push_back(static_cast<double>(c.column));
  }
  const auto distinct = [](std::vector<double> values) {
    std::ranges::sort(values);
    return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
  };
  return fit.grid.size() < distinct(std::move(densities)) * distinct(std::move(columns));
}

Warnings about_convergence(const QuestionFit& fit, bool any_converged) {
  if (!any_converged)
    return {{"not-converged", "no grid cell converged; the numbers shown are those of the one that came closest",
             "allow more updates (`max_iterations`), a larger density or noise, or another solver"}};
  const std::size_t bad = count_cells(fit, [](const Cell& c) { return !c.usable && c.solver != places_solver; });
  if (bad == 0 || path_ended(fit)) return {};
  return {{"cells-left-out", fmt::format("{} of {} grid cells did not converge and take no part", bad, fit.grid.size()),
           "nothing needs doing unless you need those cells: more updates (`max_iterations`) or a larger density may "
           "help"}};
}

Warnings about_restricted_cells(const QuestionFit& fit) {
  const auto restricted = [](const Cell& c) { return c.status == "restricted"; };
  const std::size_t count = count_cells(fit, restricted);
  if (count == 0) return {};
  const bool used = count_cells(fit, [&](const Cell& c) { return restricted(c) && c.weight > 0; }) > 0;
  return {
      {"restricted-cells",
       fmt::format("{} grid cells converged only with their site precisions kept positive; {}", count,
                   used ? "no cell converged freely, so the answer rests on this approximation" : "they take no part"),
       used ? "try a larger density or noise, or check with `check_loo=20` or `solver=gibbs`"
            : "prefer the cells that converged freely"}};
}

/// Of predictions, or of inclusions where these are an average of their own: what seeds would disagree about.
Warnings about_chains(const QuestionFit& fit, const Answer& answer, bool not_shown) {
  double predicted = 0, included = 0;
  for (std::size_t k = 0; k < fit.grid.size(); ++k) {
    if (fit.grid[k].status != to_string(Status::not_mixed)) continue;
    predicted += fit.grid[k].weight;
    included += answer.average.known() ? answer.average.weight[k] : fit.grid[k].weight;
  }
  if (not_shown) included = 0;  // nothing is made of them
  if (std::max(predicted, included) < negligible) return {};
  if (not_shown)
    return {{"not-mixed",
             fmt::format("cells of few kept features whose chains do not agree yet have {:.0f} % of the predictions",
                         100 * predicted),
             "predictions and leave-one-out are averages over all of them; another `seed` says how far they move"}};
  return {
      {"not-mixed",
       fmt::format("cells of few kept features whose chains do not agree yet have {:.0f} % of the inclusion "
                   "probabilities, which are rough, and {:.0f} % of the predictions",
                   100 * included, 100 * predicted),
       "predictions and leave-one-out are averages over all of them; fit again with another `seed` and trust what both "
       "lists name"}};
}

Warnings about_independence(const std::string& solver) {
  return {{solver + "-assumes-independence",
           solver + " assumes independent features; on correlated data its leave-one-out error can be far off",
           "use `solver=ep` where it is affordable, or check with `check_loo=20`"}};
}

/// Whether what is said of samples left out is by the cavities of a solver that takes features for independent.
bool rests_on_independence(const Answer& a) {
  if (a.cells.solver != Solver::amp && a.cells.solver != Solver::gamp) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a.weight(k) > 0 && !a.cell(k).by_folds()) return true;
  return false;
}

Warnings about_mixture(const QuestionFit& fit) {
  double doubtful = 0;
  for (const Cell& c : fit.grid)
    if (!c.reliable) doubtful += c.weight;
  if (doubtful == 0) return {};
  return {{"sparse-cells",
           fmt::format("{:.0f} % of the mixture rests on very sparse cells, whose leave-one-out is optimistic",
                       100 * doubtful),
           "check with `check_loo=20`"}};
}

Warnings about_influence(const Mixed& mixed) {
  const auto extreme = std::ranges::count(mixed.loo_reliable, false);
  if (!mixed.any_converged || extreme == 0) return {};
  return {{"extreme-cavities",
           fmt::format("{} samples have so much influence that their leave-one-out is doubtful", extreme),
           "look at these samples (they are marked), or refit without them"}};
}

Warnings about_rare_classes(const DataSummary& data, const std::vector<std::string>& names) {
  std::string rare;
  for (std::size_t k = 0; k < data.class_counts.size(); ++k)
    if (data.class_counts[k] < folds_to_earn)
      rare += fmt::format("{}{} ({})", rare.empty() ? "" : ", ", shown(names[k]), data.class_counts[k]);
  if (rare.empty()) return {};
  return {{"few-samples",
           fmt::format("classes with fewer than {} samples: {}; what is said of them rests on next to nothing",
                       folds_to_earn, rare),
           "get more samples of them, join classes that belong together, or leave them out"}};
}

Warnings about_groups(const Fit& fit) {
  if (fit.loo.groups == 0) return {};
  Warnings out;
  const SampleGroups groups = gather_groups(fit.data.groups);
  for (const auto& members : groups.members)
    if (3 * members.size() > fit.data.samples)
      out.push_back({"large-group",
                     fmt::format("group {} holds {} of {} samples: what the fit without it would say of them is "
                                 "extrapolated too far",
                                 shown(fit.data.groups[members.front()]), members.size(), fit.data.samples),
                     fmt::format("check with `check_loo={}`, which refits without each group", groups.count())});
  if (groups.count() < stacking_folds)
    out.push_back({"few-groups",
                   fmt::format("there are only {} groups: the error on a new one is hardly known", groups.count()),
                   "get samples of more groups"});
  return out;
}

/// Those of a group are left out together, and no harm.
std::vector<Twins> parted(const Labelled& data, std::vector<Twins> twins) {
  const auto together = [&](const Twins& t) {
    return !data.groups.empty() && !data.groups[t.first].empty() && data.groups[t.first] == data.groups[t.second];
  };
  std::erase_if(twins, together);
  return twins;
}

Warnings about_twins(const Labelled& data, const std::vector<Twins>& all) {
  const std::vector<Twins> twins = parted(data, all);
  if (twins.empty()) return {};
  std::string pairs;
  const auto name = [&](std::size_t i) {
    return i < data.sample_names.size() ? data.sample_names[i] : std::to_string(i + 1);
  };
  for (std::size_t k = 0; k < twins.size(); ++k) {
    const auto [a, b, correlation] = twins[k];
    if (k < most_shown) pairs += fmt::format("{}{} and {} ({:.3f})", k == 0 ? "" : ", ", name(a), name(b), correlation);
  }
  if (twins.size() > most_shown) pairs += fmt::format(" and {} more", twins.size() - most_shown);
  return {
      {"near-duplicates",
       fmt::format("{} of samples {} far more alike than the others (correlation{}): {}; a sample that is left out "
                   "while its twin is not is no new sample, so the leave-one-out error can be far too small",
                   counted(twins.size(), "pair"), twins.size() == 1 ? "is" : "are",
                   data.groups.empty() ? "" : "; of different groups", pairs),
       "if they are copies or repeated measurements of one patient, say which samples belong together (`group`), or "
       "keep one of each, or their mean"}};
}

constexpr double hardly = 0.05;  // ever

Warnings about_covariates(const Fit& fit) {
  if (!fit.covariates_alone || fit.covariates_alone->error > hardly) return {};
  const std::size_t commonest = *std::ranges::max_element(fit.data.class_counts);
  if (static_cast<double>(fit.data.samples - commonest) < 4 * hardly * static_cast<double>(fit.data.samples)) return {};
  return {{"covariates-give-it-away",
           fmt::format("the covariates alone tell the classes apart (leave-one-out error {:.1f} %): does one of them "
                       "follow from the label, or were the classes measured apart?",
                       100 * fit.covariates_alone->error),
           "leave out a covariate that is not known before the label is; a batch that holds one class only cannot be "
           "mended here"}};
}

Warnings about_ids(const Labelled& data) {
  if (data.numbering.empty()) return {};
  std::string columns;
  for (std::size_t k = 0; k < std::min(most_shown, data.numbering.size()); ++k)
    columns += (k == 0 ? "" : ", ") + data.numbering[k];
  if (data.numbering.size() > most_shown) columns += fmt::format(" and {} more", data.numbering.size() - most_shown);
  return {
      {"ids-among-features",
       fmt::format("{} among the features look like numbers of samples: {}; where classes stand one after the other "
                   "such a column tells them apart, and nothing else",
                   counted(data.numbering.size(), "column"), columns),
       "leave them out, unless they are measured; one that says which samples belong together is a `group`"}};
}

/// Names of classes with blanks and case left out.
std::string plain_class(const std::string& name) {
  std::string out = lower_case(name);
  std::erase_if(out, [](char c) { return c == ' ' || c == '\t' || c == '_'; });
  return out;
}

Warnings about_class_names(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j)
      if (!names[i].empty() && plain_class(names[i]) == plain_class(names[j]) && !plain_class(names[i]).empty())
        return {{"classes-spelled-alike",
                 fmt::format("classes {} and {} differ only in case or blanks: they may be one", shown(names[i]),
                             shown(names[j])),
                 "spell every class one way"}};
  return {};
}

void append(const Warnings& more, Warnings& out) { out.insert(out.end(), more.begin(), more.end()); }

/// Where the labels could as well have been dealt by chance, nothing that is said of features is news.
Warnings about_chance(const Fit& fit) {
  if (!fit.permutation.known() || fit.permutation.shown()) return {};
  return {{"not-shown",
           fmt::format(
               "the features are not shown to tell the classes apart{} (p = {:.2g} by {} permutations of the labels): "
               "labels dealt by chance do as well",
               fit.covariates_alone ? " beyond the covariates" : "", fit.permutation.p, fit.permutation.permutations),
           "take inclusions and lists for what chance leaves over, unless other samples confirm them; more samples may "
           "show what these do not"}};
}

/// The rarer class is hardly ever called, though its samples rank above the others.
Warnings about_imbalance(const Fit& fit) {
  if (fit.questions.size() != 1 || !fit.data.class_prior.empty() || fit.loo.probability.empty()) return {};
  const Accuracy& a = fit.questions.front().accuracy;
  if (std::min(a.sensitivity, a.specificity) > hardly || !(a.auc_interval.low > 0.5)) return {};
  const std::string rare = shown(fit.model.class_names[a.sensitivity < a.specificity ? 1 : 0]);
  return {{"one-class-called",
           fmt::format("samples of {} rank above the others (AUC {:.2f}), but hardly any of them reaches a probability "
                       "of one half: the class is rare",
                       rare, a.auc),
           "use the probabilities themselves, or say how common the classes are, or how much they matter, where the "
           "classifier will be used (`class_prior=0.5`)"}};
}

/// Each once, by the first question that it concerns; the others are named.
Warnings joined(const std::vector<Warnings>& of_question, const std::vector<std::string>& names) {
  const auto has = [](const Warnings& some, const std::string& name) {
    return std::ranges::any_of(some, [&](const Warning& w) { return w.name == name; });
  };
  Warnings out;
  for (std::size_t k = 0; k < of_question.size(); ++k)
    for (const Warning& warning : of_question[k]) {
      if (has(out, warning.name)) continue;
      std::vector<std::string> others;
      for (std::size_t j = k + 1; j < of_question.size(); ++j)
        if (has(of_question[j], warning.name)) others.push_back(names[j]);
      const std::string also = others.empty() ? "" : "; likewise " + shown_names(others, 5);
      out.push_back({warning.name, fmt::format("class {} against the rest: {}{}", shown(names[k]), warning.text, also),
                     warning.cure});
    }
  return out;
}

Warnings question_warnings(const QuestionFit& fit, const Answer& answer, bool not_shown) {
  Warnings out = about_convergence(fit, answer.mixed.any_converged);
  append(about_restricted_cells(fit), out);
  append(about_chains(fit, answer, not_shown), out);
  if (rests_on_independence(answer)) append(about_independence(to_string(answer.cells.solver)), out);
  append(about_mixture(fit), out);
  append(about_influence(answer.mixed), out);
  return out;
}

}  // namespace

Warnings fit_warnings(const Fit& fit, const std::vector<Answer>& answers, const Labelled& data,
                      const std::vector<Twins>& twins) {
  std::vector<Warnings> of_question;
  for (std::size_t q = 0; q < answers.size(); ++q)
    of_question.push_back(question_warnings(fit.questions[q], answers[q], fit.permutation.not_shown()));
  Warnings out = answers.size() == 1 ? std::move(of_question.front()) : joined(of_question, data.class_names);
  append(about_rare_classes(fit.data, data.class_names), out);
  append(about_chance(fit), out);
  append(about_imbalance(fit), out);
  append(about_groups(fit), out);
  append(about_twins(data, twins), out);
  append(about_covariates(fit), out);
  append(about_ids(data), out);
  append(about_class_names(data.class_names), out);
  return out;
}

}  // namespace cavity
