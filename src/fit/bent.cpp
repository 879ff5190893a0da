#include "fit/bent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assess/mean_error.hpp"
#include "cavity/errors.hpp"
#include "fit/bent_folds.hpp"
#include "fit/recalibrate.hpp"
#include "fit/stack.hpp"
#include "fit/training_rows.hpp"
#include "model/score.hpp"
#include "search/solve.hpp"

namespace cavity {

namespace {

constexpr std::size_t fewest_samples = 10;

/// Why there can be none, whatever is asked for; empty: there can.
std::string impossible(const FitTable& table, const BentQuestion& question, const FitOptions& options) {
  const Prepared& prepared = *table.prepared;
  if (!table.design->shards().alone()) return "the features are shared by several processes";
  if (!prepared.features.is_dense()) return "the table is not dense";
  if (prepared.samples() > most_ep_samples)
    return fmt::format("there are {} samples, and a kernel takes at most {}", prepared.samples(), most_ep_samples);
  if (prepared.samples() < fewest_samples) return fmt::format("there are fewer than {} samples", fewest_samples);
  if (question.solver != Solver::ep) return fmt::format("the solver is {}, and kernels are ep's", to_string(question.solver));
  if (!options.keep_variances) return "the model does not keep its training samples, which a kernel predicts by";
  if (!storable(prepared)) return "the training samples, which a kernel predicts by, are too large for a model";
  if (options.selection.by != Selection::stack) return "cells are selected, not mixed";
  return "";
}

/// Why there is none where it is left to us.
std::string unwanted(const FitOptions& options) {
  if (options.boundary == Boundary::straight) return "a straight one was asked for";
  if (options.boundary == Boundary::automatic && (!is_default_grid(options) || options.solver.kind != Solver::automatic))
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

/// Compares what is said of samples left out as it will be told: recalibrated where the only question is.
class Comparison {
 public:
  Comparison(const FitTable& table, const FitOptions& options, std::size_t questions, ThreadPool& pool)
      : groups_(table.together()), recalibrate_(questions == 1 && options.selection.recalibrate), pool_(pool) {}

  std::vector<double> told(std::vector<double> log_probability) const {
    const std::optional<Recalibration> how =
        recalibrate_ ? fit_recalibration(log_probability, pool_) : std::nullopt;
    return how ? cross_recalibrated_log_probability(std::move(log_probability), *how, groups_, pool_) : log_probability;
  }

  Gain gain(std::span<const double> of, std::span<const double> over) const {
    return gain_of(losses_of(over).log, losses_of(of).log, groups_);
  }

  void describe(const std::vector<double>& straight, const std::vector<double>& bent, BoundaryFit& out) const {
    const TwoLosses a = losses_of(told(straight)), b = losses_of(told(bent));
    const auto mean = [](const std::vector<double>& x) {
      return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
    };
    out.straight_log_loss = mean(a.log);
    out.bent_log_loss = mean(b.log);
    out.straight_error = mean(a.wrong);
    out.bent_error = mean(b.wrong);
    const Gain log = gain_of(a.log, b.log, groups_), error = gain_of(a.wrong, b.wrong, groups_);
    out.log_loss_gain = log.value;
    out.log_loss_gain_se = log.se;
    out.error_gain = error.value;
    out.error_gain_se = error.se;
  }

 private:
  const SampleGroups* groups_;
  bool recalibrate_;
  ThreadPool& pool_;
};

/// Cells without a weight go.
void keep_weighed(BentAnswer& out) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < out.cells.size(); ++k) {
    if (out.weight[k] == 0) continue;
    if (kept != k) out.cells[kept] = std::move(out.cells[k]);
    out.weight[kept++] = out.weight[k];
  }
  out.cells.resize(kept);
  out.weight.resize(kept);
}

/// The bent cells' share in the choice, and the choice with it.
void take_share(const Comparison& compare, const SampleGroups* groups, bool alone, const std::vector<double>& bent,
                const std::vector<double>& flattered, BentAnswer& out, Choice& choice) {
  const std::vector<double>& straight = choice.loo_log_probability;
  compare.describe(straight, bent, out.boundary);
  if (alone) {
    out.boundary.share = 1;
    choice.loo_log_probability = bent;
    choice.flattered_log_probability = flattered;
    return;
  }
  const std::vector<std::vector<double>> both{straight, bent};
  std::vector<double> mixed = cross_fitted_log_probability(both, groups);
  const Gain gain = compare.gain(compare.told(mixed), compare.told(straight));
  const double share = stacking_weights(both)[1];
  constexpr double least_share = 0.05, standard_errors = 1;
  if (share < least_share || gain.value <= standard_errors * gain.se) return;
  out.boundary.share = share;
  const std::vector<double>& seen =
      choice.flattered_log_probability.empty() ? straight : choice.flattered_log_probability;
  choice.flattered_log_probability = mixed_log_probability({seen, flattered}, std::vector{1 - share, share});
  choice.loo_log_probability = std::move(mixed);
}

}  // namespace

BentAnswer answer_bent(const FitTable& table, const BentQuestion& question, const FitOptions& options, Choice& choice,
                       ThreadPool& pool) {
  BentAnswer out;
  const std::string no_way = impossible(table, question, options);
  if (options.boundary == Boundary::bent && !no_way.empty())
    throw UsageError(fmt::format("`boundary=bent` cannot be had: {}; `boundary=straight` can", no_way));
  out.boundary.why_none = unwanted(options).empty() ? no_way : unwanted(options);
  if (!out.boundary.known()) return out;
  const BentProblem problem{*table.design, question.labels, table.covariates, question.activation, table.together()};
  out.cells = solve_bent(problem, choice.loo_log_probability, question.questions, pool);
  if (out.cells.empty()) {
    out.boundary.why_none = "no bent cell converged";
    return out;
  }
  std::vector<std::vector<double>> said;
  for (const BentCell& cell : out.cells) said.push_back(cell.loo_log_probability);
  out.weight = stacking_weights(said);
  const std::vector<double> bent = cross_fitted_log_probability(said, table.together()),
                            flattered = mixed_log_probability(said, out.weight);
  take_share(Comparison(table, options, question.questions, pool), table.together(),
             options.boundary == Boundary::bent, bent, flattered, out, choice);
  keep_weighed(out);
  for (std::size_t k = 0; k < out.cells.size(); ++k)
    if (out.cells[k].pruned) out.boundary.pruned_share += out.weight[k];
  return out;
}

}  // namespace cavity
