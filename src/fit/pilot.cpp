#include "fit/pilot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "assess/mean_error.hpp"
#include "base/budget.hpp"
#include "fit/make_covariates.hpp"
#include "fit/recalibrate.hpp"
#include "fit/stack.hpp"
#include "prepare/make_design.hpp"
#include "prepare/transform.hpp"
#include "search/ep_path.hpp"
#include "search/policies.hpp"
#include "search/search.hpp"

namespace cavity {

namespace {

using Choice = PreprocessingOptions::Choice;

constexpr double pilot_kept = 50;     // features, after a half and a tenth of them
constexpr double same_spread = 1.25;  // ninth against first decile of the columns' standard deviations

double mean_loss(const std::vector<double>& log_probability) {
  const double sum = std::accumulate(log_probability.begin(), log_probability.end(), 0.0);
  return -sum / static_cast<double>(log_probability.size());
}

struct Attempt {
  Prepared prepared;
  std::vector<double> log_probability{};  // a sample: left out, recalibrated, by the best cell; none if none converged
  double log_loss = std::numeric_limits<double>::infinity();
  EpCells cells{};  // of the densities so far, densest first

  std::string name() const {
    const Preprocessing& p = prepared.preprocessing;
    return fmt::format("{}, {}", to_string(p.transform), p.unit_variance ? "unit variance" : "centred only");
  }
};

std::vector<double> pilot_densities(std::size_t inputs) {
  std::vector<double> out = {0.5, 0.1};
  if (const double c = pilot_kept / static_cast<double>(inputs); c < 0.9 * out.back()) out.push_back(c);
  return out;
}

/// Densities that come after those of the last call, if there was one: these are not solved again.
void run(Attempt& attempt, std::vector<double> densities, const PilotSamples& samples, const FitOptions& options,
         ThreadPool& pool) {
  const Prepared& prepared = attempt.prepared;
  const auto design = make_design(prepared);
  const Covariates covariates =
      make_covariates(prepared.covariates, prepared.samples(), options.intercept, covariate_prior_precision);
  const GridProblem problem{*design, samples.labels, covariates, ActivationKind::step, samples.groups};
  Grid grid;
  grid.density = std::move(densities);
  grid.noise.assign(grid.density.size(), {usual_point().noise});
  grid.width.assign(grid.density.size(), {usual_point().width});
  const GridRun grid_run = make_run(Solver::ep, options);
  SolverOptions how = solver_options(grid_run);
  how.tolerance = std::max(how.tolerance, loose_tolerance);
  const auto known = [&](std::size_t cell, Posterior& posterior, EpState& state) {
    if (cell >= attempt.cells.posteriors.size()) return false;
    posterior = attempt.cells.posteriors[cell];
    state = attempt.cells.states[cell];
    return true;
  };
  const auto done = [](std::size_t, const Posterior&, const EpState&) {};
  EpCells cells = walk_ep(problem, grid, {how, true, known, done}, pool);
  attempt.cells = std::move(cells);
  for (std::size_t cell = 0; cell < attempt.cells.posteriors.size(); ++cell) {
    if (!attempt.cells.sound(cell)) continue;
    std::vector<double> left_out =
        recalibrated_log_probability(attempt.cells.posteriors[cell].loo_log_probability, pool);
    if (const double loss = mean_loss(left_out); loss < attempt.log_loss) {
      attempt.log_loss = loss;
      attempt.log_probability = std::move(left_out);
    }
  }
}

/// Whether the gain of `other` is more than what chance may bring, and else why not.
struct Compared {
  bool other = false;
  std::string why{};
};
Compared compare(const Attempt& other, const Attempt& usual, const SampleGroups* groups) {
  if (other.log_probability.empty() || usual.log_probability.empty()) return {usual.log_probability.empty()};
  std::vector<double> gain;
  for (std::size_t mu = 0; mu < usual.log_probability.size(); ++mu)
    gain.push_back(other.log_probability[mu] - usual.log_probability[mu]);
  const double mean = -mean_loss(gain), error = standard_error(gain, groups);
  if (mean > 2 * error) return {true};
  return {false, mean > 0
                     ? fmt::format(" (the other gains {:.3f} +- {:.3f}: less than two standard errors)", mean, error)
                     : ""};
}

// Where all columns vary alike both preparations are the same: 500 x 5000 of equal spread takes a third less time.
bool same_but_for_scale(const Preprocessing& usual) {
  if (usual.transform != Transform::none) return false;
  std::vector<double> scale = usual.scale;
  std::ranges::sort(scale);
  return scale[scale.size() - 1 - scale.size() / 10] < same_spread * scale[scale.size() / 10];
}

bool worth_trying(const Dataset& data, const FitOptions& options, const Shards& shards) {
  const PreprocessingOptions& p = options.preprocessing;
  const bool open = p.transform == Choice::automatic && !p.unit_variance && !p.whiten && p.centre;
  const std::size_t samples = data.features.rows(), features = data.features.cols();
  return open && policies().pilot && is_default_grid(options) && data.features.is_dense() &&
         samples >= stacking_folds && features > samples && samples * features * sizeof(float) <= much_memory &&
         pick_solver(options.solver.kind, data.features, data.features.cols(), shards).solver == Solver::ep;
}

/// The values of the features that `of` keeps, as `from` has them; 0 of those that are constant there.
FeatureMatrix same_features(const Prepared& of, const Prepared& from) {
  const std::vector<std::uint32_t>&wanted = of.preprocessing.kept, &there = from.preprocessing.kept;
  const FeatureMatrix& values = from.features.dense();
  FeatureMatrix out(values.rows, wanted.size());
  for (std::size_t j = 0; j < wanted.size(); ++j) {
    const auto at = std::ranges::lower_bound(there, wanted[j]);
    if (at == there.end() || *at != wanted[j]) continue;
    const auto column = static_cast<std::size_t>(at - there.begin());
    for (std::size_t mu = 0; mu < out.rows; ++mu) out.row(mu)[j] = values.row(mu)[column];
  }
  return out;
}

}  // namespace

Prepared prepare_by_pilot(Dataset&& data, const PilotSamples& samples, const FitOptions& options, ThreadPool& pool,
                          const Shards& shards) {
  if (!worth_trying(data, options, shards)) return prepare(std::move(data), options.preprocessing, pool, shards);
  const auto attempt = [&](PreprocessingOptions how) {
    Dataset copy;  // shares the values until they are written to
    copy.features = data.features;
    copy.feature_names = data.feature_names;
    copy.sample_names = data.sample_names;
    copy.covariates = data.covariates;
    return Attempt{prepare(std::move(copy), how, pool)};
  };
  Attempt usual = attempt(options.preprocessing);
  if (same_but_for_scale(usual.prepared.preprocessing)) return std::move(usual.prepared);
  PreprocessingOptions bare = options.preprocessing;
  bare.transform = Choice::none;
  bare.unit_variance = false;
  Attempt other = attempt(bare);
  data = {};
  const std::array both = {&usual, &other};
  pool.run(2, [&](std::size_t i) { run(*both[i], {0.5}, samples, options, pool); });
  // Every process tries both, on the whole table; what the first finds is done by all.
  const auto first_finds = [&](bool mine) { return shards.sum(shards.rank() == 0 && mine ? 1.0 : 0.0) > 0; };
  if (first_finds(other.log_loss < usual.log_loss))
    pool.run(
        2, [&](std::size_t i) { run(*both[i], pilot_densities(both[i]->prepared.inputs()), samples, options, pool); });
  const Compared compared = compare(other, usual, samples.groups);
  Attempt& best = first_finds(compared.other) ? other : usual;
  best.prepared.notes.push_back(fmt::format(
      "preparations tried, with their leave-one-out log loss in a few cells: {} {:.3f}; {} {:.3f}; chosen: {}{}",
      usual.name(), usual.log_loss, other.name(), other.log_loss, best.name(), compared.why));
  if (options.grid.sparsest && policies().both_forms && looks_at_samples(best.prepared.preprocessing.transform))
    best.prepared.measured = same_features(best.prepared, other.prepared);
  return std::move(best.prepared);
}

}  // namespace cavity
