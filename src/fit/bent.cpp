#include "fit/bent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "assess/mean_error.hpp"
#include "cavity/errors.hpp"
#include "fit/bent_folds.hpp"
#include "fit/recalibrate.hpp"
#include "fit/stack.hpp"
#include "fit/training_rows.hpp"
#include "model/score.hpp"
#include "search/grid.hpp"
#include "search/search.hpp"
#include "search/whole_table.hpp"

namespace cavity {

namespace {

/// Why there can be none, whatever is asked for; empty: there can.
std::string impossible(const FitTable& table, const BentQuestion& question, const FitOptions& options) {
  const Prepared& prepared = *table.prepared;
  if (!prepared.features.is_dense()) return "the table is not dense";
  if (prepared.samples() > most_ep_samples)
    return fmt::format("there are {} samples, and a kernel takes at most {}", prepared.samples(), most_ep_samples);
  if (prepared.samples() < stacking_folds) return fmt::format("there are fewer than {} samples", stacking_folds);
  if (question.solver != Solver::ep)
    return fmt::format("the solver is {}, and kernels are ep's", to_string(question.solver));
  if (!options.keep_variances) return "the model does not keep its training samples, which a kernel predicts by";
  if (!storable(prepared)) return "the training samples, which a kernel predicts by, are too large for a model";
  if (options.selection.by != Selection::stack) return "cells are selected, not mixed";
  return "";
}

/// Why there is none where it is left to us.
std::string unwanted(const FitTable& table, const FitOptions& options) {
  if (options.boundary == Boundary::straight) return "a straight one was asked for";
  if (options.boundary == Boundary::automatic && table.blocks) return "features of several blocks";
  if (options.boundary == Boundary::automatic &&
      (!is_default_grid(options) || options.solver.kind != Solver::automatic))
    return "what is fitted was asked for";
  return "";
}

struct TwoLosses {
  std::vector<double> log, wrong;
};
TwoLosses losses_of(std::span<const double> log_probability) {
  TwoLosses out;
  for (const double own : log_probability) {
    out.log.push_back(-own);
    out.wrong.push_back(wrong_label(std::exp(own)));
  }
  return out;
}

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

/// What straight and bent say of samples left out.
BoundaryFit compare(std::span<const double> straight, std::span<const double> bent, const SampleGroups* groups) {
  const TwoLosses a = losses_of(straight), b = losses_of(bent);
  const Gain log = gain_of(a.log, b.log, groups), error = gain_of(a.wrong, b.wrong, groups);
  BoundaryFit out;
  out.why_none.clear();
  out.straight_log_loss = mean(a.log);
  out.bent_log_loss = mean(b.log);
  out.straight_error = mean(a.wrong);
  out.bent_error = mean(b.wrong);
  out.log_loss_gain = log.value;
  out.log_loss_gain_se = log.se;
  out.error_gain = error.value;
  out.error_gain_se = error.se;
  return out;
}

bool pays(const BoundaryFit& b) { return b.log_loss_gain > bend_pays * b.log_loss_gain_se; }

/// What the frequencies of the labels say of each.
std::vector<double> guessed(std::span<const std::int8_t> labels) {
  const auto positive = static_cast<double>(std::ranges::count(labels, 1));
  const double share = positive / static_cast<double>(labels.size());
  std::vector<double> out;
  for (const std::int8_t label : labels) out.push_back(std::log(label > 0 ? share : 1 - share));
  return out;
}

struct Stack {
  std::vector<double> weight, left_out, flattered;
};
Stack stack(const std::vector<BentCell>& cells, const SampleGroups* groups) {
  std::vector<std::vector<double>> said;
  for (const BentCell& cell : cells) said.push_back(cell.loo_log_probability);
  Stack out{stacking_weights(said), cross_fitted_log_probability(said, groups), {}};
  out.flattered = mixed_log_probability(said, out.weight);
  return out;
}

/// The settings that the stack of these cells weighs.
std::vector<BentSetting> weighed(const std::vector<BentCell>& cells, const std::vector<double>& weight) {
  std::vector<BentSetting> out;
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (weight[k] > 0) out.push_back({cells[k].noise, cells[k].width});
  return out;
}

/// Cells without a weight go.
void keep_weighed(BentAnswer& out) {
  std::vector<BentCell> cells;
  std::vector<double> weight;
  for (std::size_t k = 0; k < out.cells.size(); ++k) {
    if (out.weight[k] == 0) continue;
    if (out.cells[k].pruned) out.boundary.pruned_share += out.weight[k];
    weight.push_back(out.weight[k]);
    cells.push_back(std::move(out.cells[k]));
  }
  out.cells = std::move(cells);
  out.weight = std::move(weight);
}

class Bending {
 public:
  Bending(const FitTable& table, const BentQuestion& question, const FitOptions& options, const Mixed& straight,
          ThreadPool& pool)
      : mixed_(straight),
        options_(options),
        pool_(pool),
        whole_(*table.prepared, table.problem(question.labels, options)),
        problem_{whole_.problem().design, question.labels,  table.covariates,
                 question.activation,     table.together(), &options.observer.keep_going},
        questions_(question.questions) {}

  BentMixed answer() && {
    BentAnswer out;
    bool worth = equal_relevance(out);
    std::vector<double> known = mixed_.loo_log_probability;
    if (worth)
      if (const Stack equal = stack(out.cells, problem_.groups); mean(equal.left_out) > mean(known))
        known = equal.left_out;
    std::vector<BentCell> pruned = pruned_cells(problem_, known, questions_, pool_);
    if (!worth && !pruned.empty()) out.cells.clear();
    worth |= !pruned.empty();
    std::move(pruned.begin(), pruned.end(), std::back_inserter(out.cells));
    if (worth || options_.boundary == Boundary::bent) take_share(out);
    if (out.boundary.share == 0) out.cells.clear();
    return {std::move(out), std::move(mixed_)};
  }

 private:
  /// Whether kernels of all features alike gain by a bend; the cells of the bent one.
  bool equal_relevance(BentAnswer& out) {
    KernelsCompared kernels = compare_kernels(problem_, pool_);
    if (kernels.straight.empty() || kernels.bent.empty()) {
      out.boundary.why_none = "no kernel converged";
      return false;
    }
    const bool all = kernels.samples.size() == problem_.labels.size();
    const SampleGroups* groups = all ? problem_.groups : nullptr;
    const Stack straight = stack(kernels.straight, groups), bent = stack(kernels.bent, groups);
    out.boundary = compare(straight.left_out, bent.left_out, groups);
    out.boundary.of_kernels = true;
    const bool worth = pays(out.boundary);
    if (all)
      out.cells = std::move(kernels.bent);
    else if (worth || options_.boundary == Boundary::bent)
      out.cells = solve_bent_cells(problem_, kernels.bent.front().kernel, weighed(kernels.bent, bent.weight), pool_);
    return worth && !out.cells.empty();
  }

  /// As it will be told: recalibrated where the only question is.
  std::vector<double> told(std::vector<double> log_probability) const {
    const bool may = questions_ == 1 && options_.selection.recalibrate;
    const std::optional<Recalibration> how = may ? fit_recalibration(log_probability, pool_) : std::nullopt;
    return how ? cross_recalibrated_log_probability(std::move(log_probability), *how, problem_.groups, pool_)
               : log_probability;
  }

  void take_share(BentAnswer& out) {
    if (out.cells.empty()) return;
    const Stack bent = stack(out.cells, problem_.groups);
    out.weight = bent.weight;
    out.boundary = compare(told(mixed_.loo_log_probability), told(bent.left_out), problem_.groups);
    if (options_.boundary == Boundary::bent) {
      out.boundary.share = 1;
      mixed_.loo_log_probability = bent.left_out;
      mixed_.flattered_log_probability = bent.flattered;
    } else {
      mix_beside(bent, out);
    }
    keep_weighed(out);
  }

  /// Beside the straight cells, where all together predict better than these.
  void mix_beside(const Stack& bent, BentAnswer& out) {
    const std::vector<double> straight = mixed_.loo_log_probability;
    const std::vector<std::vector<double>> both{straight, bent.left_out};
    std::vector<double> mixed = cross_fitted_log_probability(both, problem_.groups);
    const double share = stacking_weights(both)[1];
    const std::vector<double> said = told(mixed);
    if (share == 0 || !pays(compare(told(straight), said, problem_.groups))) return;
    // Where there is nothing to find the straight cells may be worse than a guess, and a kernel that says nothing
    // better.
    if (!pays(compare(guessed(problem_.labels), said, problem_.groups))) return;
    out.boundary.share = share;
    out.straight = mixed_;
    const std::vector<double>& seen =
        mixed_.flattered_log_probability.empty() ? straight : mixed_.flattered_log_probability;
    mixed_.flattered_log_probability = mixed_log_probability({seen, bent.flattered}, std::vector{1 - share, share});
    mixed_.loo_log_probability = std::move(mixed);
  }

  Mixed mixed_;
  const FitOptions& options_;
  ThreadPool& pool_;
  WholeTable whole_;
  BentProblem problem_;
  std::size_t questions_;
};

}  // namespace

BentMixed answer_bent(const FitTable& table, const BentQuestion& question, const FitOptions& options,
                      const Mixed& straight, ThreadPool& pool) {
  const std::string no_way = impossible(table, question, options), no_wish = unwanted(table, options);
  if (options.boundary == Boundary::bent && !no_way.empty())
    throw UsageError(fmt::format("`boundary=bent` cannot be had: {}; `boundary=straight` can", no_way));
  if (!no_way.empty() || !no_wish.empty()) {
    BentAnswer out;
    out.boundary.why_none = no_wish.empty() ? no_way : no_wish;
    return {std::move(out), straight};
  }
  return Bending(table, question, options, straight, pool).answer();
}

}  // namespace cavity
