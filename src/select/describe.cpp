#include "select/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "choose/recalibrate.hpp"
#include "file/messages.hpp"
#include "judge/class_weights.hpp"
#include "judge/covariates_alone.hpp"
#include "judge/twins.hpp"
#include "model/score.hpp"
#include "prepare/make_design.hpp"
#include "select/check_loo.hpp"
#include "select/credible.hpp"
#include "select/describe_features.hpp"
#include "select/feature_mixture.hpp"
#include "select/fit_warnings.hpp"
#include "select/loo_estimate.hpp"
#include "select/make_covariates.hpp"
#include "select/training_rows.hpp"

namespace cavity {

namespace {

std::vector<Cell> describe_cells(const Answer& a) {
  std::vector<Cell> cells;
  for (std::size_t k = 0; k < a.solved.posteriors.size(); ++k) {
    const auto [density, noise, width] = a.solved.grid.point(k);
    const Posterior& p = a.solved.posteriors[k];
    Cell cell;
    cell.density = density;
    cell.noise = noise;
    cell.width = width;
    cell.kept = density * static_cast<double>(a.prepared.inputs());
    cell.solver = a.solved.grid.sampled(k) ? "places" : to_string(a.solved.solver);
    cell.status = to_string(p.status);
    cell.usable = usable(p.status);
    cell.iterations = p.iterations;
    cell.residual = p.residual;
    const bool visited = p.status != Status::not_visited;
    cell.loo_error = visited ? p.loo_error : std::numeric_limits<double>::quiet_NaN();
    cell.loo_log_loss = visited ? p.loo_log_loss : cell.loo_error;
    if (cell.usable) cell.log_evidence = p.log_evidence;
    cell.weight = a.choice.weight[k];
    cell.by_folds = p.by_folds;
    cell.reliable = reliable_cell(a.solved.grid, k, p, a.prepared.inputs());
    cells.push_back(cell);
  }
  return cells;
}

std::vector<Component> describe_components(const Answer& a, bool with_sites) {
  const Shards& shards = a.problem.design.shards();
  std::vector<Component> out;
  for (std::size_t k = 0; k < a.solved.posteriors.size(); ++k) {
    if (a.choice.weight[k] == 0) continue;
    const Posterior& p = a.solved.posteriors[k];
    Component c;
    const GridPoint point = a.solved.grid.point(k);
    c.density = point.density;
    c.noise = point.noise;
    c.width = point.width;
    c.weight = a.choice.weight[k];
    c.mean = shards.join(p.mean);
    c.covariate_mean = p.covariate_mean;
    c.common_variance = p.common_field_variance;
    if (a.solved.solver == Solver::gamp) {
      c.variance = shards.join(p.variance);
      c.covariate_variance = p.covariate_variance;
    }
    if (const auto draws = a.solved.draws.find(k); draws != a.solved.draws.end()) c.places = draws->second;
    if (with_sites) {
      c.feature_precision = shards.join(p.feature_site_precision);
      c.sample_precision = p.sample_site_precision;
    }
    out.push_back(std::move(c));
  }
  return out;
}

PlaceScores describe_place_scores(const Answer& a, const std::vector<Component>& components) {
  PlaceScores out;
  if (!a.solved.place_inputs) return out;
  for (const Component& c : components) out.place.insert(out.place.end(), c.places.place.begin(), c.places.place.end());
  std::ranges::sort(out.place);
  out.place.erase(std::unique(out.place.begin(), out.place.end()), out.place.end());
  const std::size_t inputs = a.prepared.inputs();
  for (const std::uint32_t place : out.place) {
    const FeatureMatrix& values = place < inputs ? a.prepared.features.dense() : a.prepared.measured;
    const auto first = static_cast<std::ptrdiff_t>(out.values.size());
    for (std::size_t mu = 0; mu < values.rows; ++mu) out.values.push_back(values.row(mu)[place % inputs]);
    std::sort(out.values.begin() + first, out.values.end());
  }
  return out;
}

CellMixture describe_mixture(const Answer& a, const FitOptions& options, bool with_sites, ThreadPool& pool) {
  CellMixture out;
  out.activation = a.problem.activation;
  out.intercept = a.has_intercept();
  out.covariate_precision = covariate_prior_precision;
  out.components = describe_components(a, with_sites);
  out.place_scores = describe_place_scores(a, out.components);
  out.part_recalibration = a.choice.part_recalibration;
  if (options.selection.recalibrate && options.selection.by == Selection::stack)
    out.recalibration = fit_recalibration(a.choice.loo_log_probability, pool);
  return out;
}

LooEstimate describe_leave_one_out(const Answer& a, const std::optional<Recalibration>& recalibration,
                                   const FitOptions& options, ThreadPool& pool) {
  const auto estimate = [&](const std::vector<double>& log_probability) {
    return loo_estimate(log_probability, a.choice.loo_reliable, a.problem.labels, a.problem.groups, options.population);
  };
  const std::vector<double>& left_out = a.choice.loo_log_probability;
  LooEstimate out = estimate(
      recalibration ? cross_recalibrated_log_probability(left_out, *recalibration, a.problem.groups, pool) : left_out);
  std::vector<double> flattered = a.choice.flattered_log_probability;
  if (flattered.empty()) return out;
  if (recalibration) recalibrate_log_probability(*recalibration, flattered);
  const LooEstimate seen = estimate(flattered);
  out.optimism = {out.error - seen.error, out.log_loss - seen.log_loss};
  return out;
}

double mixed_train_error(const Answer& a) {
  double out = 0;
  for (std::size_t k = 0; k < a.solved.posteriors.size(); ++k)
    if (a.choice.weight[k] > 0) out += a.choice.weight[k] * a.solved.posteriors[k].train_error;
  return out;
}

/// The heaviest, of those whose leave-one-out is not that of folds already; where these carry all weight, the best.
std::size_t cell_to_check(const Answer& a) {
  std::size_t out = 0;
  const auto better = [&](std::size_t k) {
    const Posterior &p = a.solved.posteriors[k], &q = a.solved.posteriors[out];
    if (a.choice.weight[k] != a.choice.weight[out]) return a.choice.weight[k] > a.choice.weight[out];
    if (usable(p.status) != usable(q.status)) return usable(p.status);
    return usable(p.status) && p.loo_log_loss < q.loo_log_loss;
  };
  for (std::size_t k = 0; k < a.solved.posteriors.size(); ++k)
    if (!a.solved.grid.sampled(k) && better(k)) out = k;
  return out;
}

std::optional<LooCheck> describe_check(const Answer& a, const FitOptions& options, ThreadPool& pool) {
  if (options.selection.check_loo == 0) return std::nullopt;
  const std::size_t cell = cell_to_check(a);
  return check_loo(a.problem, {a.solved.grid.point(cell), a.solved.posteriors[cell], a.solved.solution(cell)},
                   make_run(a.solved.solver, options), options.selection.check_loo, pool);
}

std::optional<CovariatesAlone> describe_covariates_alone(const Answer& a, const LooEstimate& loo, ThreadPool& pool) {
  if (a.prepared.covariates.cols == 0) return std::nullopt;
  const std::vector<double> alone =
      leave_out_covariates(a.prepared.covariates, a.problem.labels, a.problem.groups, pool);
  std::vector<double> both;
  CovariatesAlone out;
  const auto samples = static_cast<double>(alone.size());
  for (std::size_t mu = 0; mu < alone.size(); ++mu) {
    both.push_back(a.problem.labels[mu] > 0 ? loo.probability[mu] : 1 - loo.probability[mu]);
    out.error += wrong_label(alone[mu]) / samples;
    out.log_loss += log_loss(alone[mu]) / samples;
  }
  const Gain error = error_gain(alone, both, a.problem.groups), logs = log_loss_gain(alone, both, a.problem.groups);
  out.error_gain = error.value;
  out.error_gain_se = error.se;
  out.log_loss_gain = logs.value;
  out.log_loss_gain_se = logs.se;
  return out;
}

}  // namespace

void note_groups(const SampleGroups& groups, DataSummary& data) {
  const auto alone = std::ranges::count(data.groups, std::string());
  std::string note = fmt::format("groups: {} of {}, the largest of {}; each is left out as a whole", groups.count(),
                                 counted(groups.of.size(), "sample"), counted(groups.largest(), "sample"));
  if (alone > 0)
    note += fmt::format("; {} without a group, each by itself", counted(static_cast<std::size_t>(alone), "sample"));
  data.notes.push_back(note);
}

DataSummary describe_data(const Labelled& data, const Prepared& prepared) {
  DataSummary out;
  out.samples = prepared.samples();
  out.features = prepared.preprocessing.feature_names.size();
  for (const auto y : data.labels) ++out.class_counts[y > 0 ? 1 : 0];
  out.sample_names = data.sample_names;
  out.labels = data.labels;
  out.groups = data.groups;
  out.notes = data.notes;
  out.notes.insert(out.notes.end(), prepared.notes.begin(), prepared.notes.end());
  return out;
}

Resources describe_resources(const Prepared& prepared, const Design& design, const ThreadPool& pool) {
  const Shards& shards = design.shards();
  const auto bytes = static_cast<double>(feature_bytes(prepared, shards));
  return {shards.ranks(), pool.size(), static_cast<std::size_t>(shards.largest(bytes)),
          shards.largest(shards.seconds()), 0};
}

bool keeps_training(Solver solver, const Prepared& prepared, const FitOptions& options) {
  return solver == Solver::ep && options.keep_variances && prepared.samples() <= most_ep_samples && storable(prepared);
}

Fit describe_labels(const Answer& a, const FitOptions& options, ThreadPool& pool) {
  Fit out;
  out.solver = {to_string(a.solved.solver), a.solved.why};
  out.grid = describe_cells(a);
  out.chosen = a.choice.heaviest;
  out.train_error = mixed_train_error(a);
  out.loo_check = describe_check(a, options, pool);
  out.model.mixture = describe_mixture(a, options, keeps_training(a.solved.solver, a.prepared, options), pool);
  out.loo = describe_leave_one_out(a, out.model.mixture.recalibration, options, pool);
  const FeatureMixture mixture = mix_features(a.problem, a.solved, a.choice.weight);
  out.model.features = describe_features(a, mixture, pool);
  out.model.features.credible_sets = describe_credible_sets(a, out.model.features.inclusion, pool);
  out.model.covariates = describe_covariates(a);
  out.contributions = describe_contributions(a, mixture, pool);
  return out;
}

Fit describe(const Answer& a, const FitOptions& options, ThreadPool& pool) {
  Fit out;
  std::vector<Twins> twins;
  const auto part = [&](std::size_t k) {
    if (k == 0)
      out = describe_labels(a, options, pool);
    else
      twins = find_twins(a.problem.design, a.prepared.inputs(), pool);
  };
  ThreadPool in_turn(1);  // other processes meet in the same order
  (a.problem.design.shards().alone() ? pool : in_turn).run(2, part);
  out.data = describe_data(a.data, a.prepared);
  out.data.population = options.population;
  out.model.class_names = a.data.class_names;
  out.model.label_name = a.data.label_name;
  out.model.id_name = a.data.id_name;
  out.model.preprocessing = a.prepared.preprocessing;
  if (options.population) out.model.prior_shift = prior_shift(a.problem.labels, *options.population);
  out.covariates_alone = describe_covariates_alone(a, out.loo, pool);
  if (keeps_training(a.solved.solver, a.prepared, options))
    out.model.training = training_rows(a.prepared, a.data.labels, a.problem.design.shards());
  out.resources = describe_resources(a.prepared, a.problem.design, pool);
  out.resources.resumed_cells = a.solved.resumed_cells;
  out.warnings = fit_warnings(out, a.solved.solver, a.choice);
  if (a.problem.groups) note_groups(*a.problem.groups, out.data);
  const Warnings more = warnings_about_data(out, a.data, twins);
  out.warnings.insert(out.warnings.end(), more.begin(), more.end());
  return out;
}

}  // namespace cavity
