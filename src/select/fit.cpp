// The whole job, top to bottom: prepare the table, solve the grid, choose, and say what is known about the answer.
#include "cavity/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "cavity/errors.hpp"
#include "prepare/feature_weights.hpp"
#include "prepare/make_design.hpp"
#include "select/check_loo.hpp"
#include "select/checkpoint.hpp"
#include "select/choose.hpp"
#include "select/feature_mixture.hpp"
#include "select/fit_warnings.hpp"
#include "select/grid_solver.hpp"
#include "select/recalibrate.hpp"

namespace cavity {

namespace {

constexpr double covariate_deviation = 0.3;  // prior sd of the intercept and of covariates, in units of sqrt(density)
constexpr std::size_t most_ep_samples = 2000;
constexpr double most_ep_operations = 2e11;  // samples^2 x features (or the other way round), one update
constexpr std::size_t most_stored_bytes = std::size_t{512} << 20;  // of training rows in a model

struct SolverChoice {
  Solver solver;
  std::string name, why;
};

SolverChoice pick_solver(Solver asked, std::size_t samples, std::size_t features) {
  switch (asked) {
    case Solver::ep:
      return {asked, "ep", "asked for"};
    case Solver::amp:
      return {asked, "amp", "asked for"};
    case Solver::bp:
      return {asked, "bp", "asked for"};
    case Solver::gibbs:
      return {asked, "gibbs", "asked for"};
    case Solver::automatic:
      break;
  }
  const auto small = static_cast<double>(std::min(samples, features)),
             large = static_cast<double>(std::max(samples, features));
  const bool affordable = std::min(samples, features) <= most_ep_samples && small * small * large <= most_ep_operations;
  if (affordable)
    return {Solver::ep, "ep",
            fmt::format("{} x {} is within EP's reach, and EP needs no independent features", samples, features)};
  return {Solver::amp, "amp",
          fmt::format("{} x {} is beyond EP's reach (at most {} samples and {:.0e} operations an update)", samples,
                      features, most_ep_samples, most_ep_operations)};
}

/// Where EP converges nowhere, as it may with one to three features or next to no information, the exact sampler can
/// take over if it is cheap: it needs no fixed point. Noise 0 and evidence are beyond it.
bool sampler_helps(const FitOptions& options, const Grid& grid, const std::vector<Posterior>& posteriors,
                   std::size_t values) {
  constexpr std::size_t most_values = 200;  // samples x features: two seconds or so for the whole grid
  if (options.solver != Solver::automatic || options.selection == Selection::evidence || values > most_values)
    return false;
  for (const auto& row : grid.noise)
    if (row.back() <= 0) return false;
  return std::none_of(posteriors.begin(), posteriors.end(),
                      [](const Posterior& p) { return p.status == Status::converged; });
}

Covariates make_covariates(const FeatureMatrix& encoded, bool intercept, std::size_t samples) {
  Covariates out;
  const std::size_t first = intercept ? 1 : 0, count = first + encoded.cols;
  out.values.resize(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(count));
  if (intercept) out.values.col(0).setOnes();
  for (std::size_t mu = 0; mu < samples; ++mu)
    for (std::size_t j = 0; j < encoded.cols; ++j)
      out.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(first + j)) =
          static_cast<double>(encoded.row(mu)[j]);
  out.precision.assign(count, 1 / (covariate_deviation * covariate_deviation));
  return out;
}

std::vector<Cell> make_cells(const Grid& grid, const std::vector<Posterior>& posteriors, const Choice& choice,
                             std::size_t features) {
  std::vector<Cell> cells;
  for (std::size_t k = 0; k < posteriors.size(); ++k) {
    const auto [density, noise] = grid.point(k);
    const Posterior& p = posteriors[k];
    Cell cell;
    cell.density = density;
    cell.noise = noise;
    cell.status = to_string(p.status);
    cell.usable = usable(p.status);
    cell.iterations = p.iterations;
    cell.residual = p.residual;
    cell.loo_error = p.loo_error;
    cell.loo_log_loss = p.loo_log_loss;
    if (cell.usable) cell.log_evidence = p.log_evidence;
    cell.weight = choice.weight[k];
    cell.reliable = reliable_cell(p, density, features);
    cells.push_back(cell);
  }
  return cells;
}

std::vector<Component> make_components(const Grid& grid, std::vector<Posterior>& posteriors, const Choice& choice,
                                       bool with_sites, const Shards& shards) {
  std::vector<Component> out;
  for (std::size_t k = 0; k < posteriors.size(); ++k) {
    if (choice.weight[k] == 0) continue;
    Posterior& p = posteriors[k];
    Component c;
    c.density = grid.point(k).density;
    c.noise = grid.point(k).noise;
    c.weight = choice.weight[k];
    c.mean = shards.join(p.mean);
    c.covariate_mean = p.covariate_mean;
    c.common_variance = p.common_field_variance;
    if (with_sites) {
      c.feature_precision = shards.join(p.feature_site_precision);
      c.sample_precision = std::move(p.sample_site_precision);
    }
    out.push_back(std::move(c));
  }
  return out;
}

// The mixture's leave-one-out, recalibrated where that pays, as probabilities of the positive class.
void report_loo(const Choice& choice, const std::vector<std::int8_t>& labels, bool recalibrate, Fit& out) {
  if (recalibrate) out.model.recalibration = fit_recalibration(choice.loo_log_probability);
  double wrong = 0;
  for (std::size_t mu = 0; mu < labels.size(); ++mu) {
    double own = std::exp(choice.loo_log_probability[mu]);
    if (out.model.recalibration) own = recalibrated(*out.model.recalibration, own);
    wrong += own < 0.5 ? 1 : (own == 0.5 ? 0.5 : 0);
    out.loo_log_loss -= std::log(own);
    out.loo_probability.push_back(labels[mu] > 0 ? own : 1 - own);
  }
  const auto m = static_cast<double>(labels.size());
  out.loo_error = wrong / m;
  out.loo_error_se = std::sqrt(out.loo_error * (1 - out.loo_error) / m);
  out.loo_log_loss /= m;
  out.loo_reliable = choice.loo_reliable;
}

// Groups of inputs as groups of features: not after whitening, where there are none.
void report_groups(std::vector<std::vector<std::uint32_t>> groups, Model& model) {
  for (auto& group : groups) {
    for (auto& l : group) l = model.preprocessing.kept[l];
    model.groups.push_back(std::move(group));
  }
}

// Mixed field of intercept and covariates, in the units of the feature mixture.
std::vector<double> covariate_fields(const std::vector<Posterior>& posteriors, const Choice& choice, const Grid& grid,
                                     const Covariates& covariates, ActivationKind activation, double& intercept) {
  std::vector<double> field(static_cast<std::size_t>(covariates.values.rows()), 0);
  for (std::size_t k = 0; k < posteriors.size(); ++k) {
    if (choice.weight[k] == 0 || covariates.count() == 0) continue;
    const double share = choice.weight[k] / field_scale(posteriors[k], activation, grid.point(k).noise);
    for (std::size_t mu = 0; mu < field.size(); ++mu)
      for (std::size_t j = 0; j < covariates.count(); ++j)
        field[mu] += share * posteriors[k].covariate_mean[j] *
                     covariates.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
    intercept += share * posteriors[k].covariate_mean.front();
  }
  return field;
}

void store_training(Prepared& prepared, const Shards& shards, std::vector<std::int8_t> labels, bool keep,
                    Model& model) {
  if (!keep) return;
  model.training = prepared.features.is_dense() ? std::move(prepared.features.dense()) : dense_values(prepared, shards);
  model.training.own();
  model.training_row_scale = std::move(prepared.row_scale);
  model.training_covariates = std::move(prepared.covariates);
  model.training_labels = std::move(labels);
}

/// What several processes cannot do together.
void check_sharded(const FitOptions& options) {
  if (options.solver == Solver::bp || options.solver == Solver::gibbs)
    throw UsageError("several processes run ep or amp; bp and gibbs need one process");
  if (options.check_loo > 0) throw UsageError("--check-loo refits in one process");
}

/// All processes must look at the same table: files of one name may differ between machines.
void check_agreement(const Dataset& data, const FitOptions& options, const Shards& shards) {
  if (shards.alone()) return;
  std::uint32_t hash = 2166136261U;  // FNV-1a
  const auto add = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    hash = (hash ^ 0xffU) * 16777619U;
  };
  for (const auto& name : data.feature_names) add(name);
  for (const auto& name : data.class_names) add(name);
  for (const auto y : data.labels) hash = (hash ^ static_cast<std::uint32_t>(y + 2)) * 16777619U;
  for (const auto* values : {&options.density, &options.noise})
    for (const double value : *values) add(std::to_string(value));
  const double mine[] = {static_cast<double>(data.samples()), static_cast<double>(data.features.cols()),
                         static_cast<double>(hash)};
  const std::vector<double> all = shards.join(mine);
  for (std::size_t r = 1; r < shards.ranks(); ++r) {
    if (std::equal(all.begin(), all.begin() + 3, all.begin() + static_cast<std::ptrdiff_t>(3 * r))) continue;
    throw InputError(fmt::format(
        "process {} has read {:.0f} samples x {:.0f} features, the first process {:.0f} x {:.0f}, or with other names, "
        "labels or options: every process must see the same file and the same command line",
        r, all[3 * r], all[3 * r + 1], all[0], all[1]));
  }
}

void check_labels(const Dataset& data) {
  if (data.labels.size() != data.samples())
    throw InputError(fmt::format("{} labels for {} samples", data.labels.size(), data.samples()));
  const auto positive = std::count(data.labels.begin(), data.labels.end(), std::int8_t{1});
  if (positive == 0 || positive == static_cast<std::ptrdiff_t>(data.labels.size()))
    throw InputError("all samples are of one class: two classes are required");
}

}  // namespace

Fit fit(Dataset data, const FitOptions& options) {
  check_labels(data);
  const Shards& shards = options.shards ? *options.shards : Shards::whole();
  if (!shards.alone()) check_sharded(options);
  check_agreement(data, options, shards);
  ThreadPool pool(options.threads);
  Fit out;
  out.samples = data.samples();
  out.features = data.features.cols();
  out.notes = data.notes;
  out.model.class_names = data.class_names;
  out.model.label_name = data.label_name;
  out.model.activation = options.activation;
  out.model.intercept = options.intercept && options.solver != Solver::bp;
  std::vector<std::int8_t> labels = std::move(data.labels);
  for (const auto y : labels) ++out.class_counts[y > 0 ? 1 : 0];
  out.labels = labels;
  out.sample_names = data.sample_names;

  Prepared prepared = prepare(std::move(data), options.preprocessing, pool, shards);
  out.notes.insert(out.notes.end(), prepared.notes.begin(), prepared.notes.end());
  const Covariates covariates = make_covariates(prepared.covariates, out.model.intercept, labels.size());
  out.model.covariate_precision = 1 / (covariate_deviation * covariate_deviation);
  const std::size_t inputs = prepared.inputs();
  const std::size_t bytes = feature_bytes(prepared, shards);
  const auto made = make_design(prepared, shards);
  const Design& design = *made;

  SolverChoice solver = pick_solver(options.solver, labels.size(), inputs);
  const Grid grid = make_grid(options, inputs);
  GridRun run{solver.solver,     options.max_iterations, options.tolerance, options.seed, options.amp_share, {},
              options.keep_going};
  std::optional<Checkpoint> checkpoint;
  if (!options.checkpoint.file.empty()) {
    checkpoint.emplace(options, checkpoint_identity(options, solver.solver, grid, prepared, labels),
                       Checkpoint::Sizes{grid.size(), design.features(), labels.size()}, shards);
    run.checkpoint = &*checkpoint;
    out.resources.resumed_cells = checkpoint->resumed();
  }
  std::size_t finished = out.resources.resumed_cells;
  if (options.progress)
    run.done = [&](std::size_t k, const Posterior& p) {
      return options.progress({++finished, grid.size(), grid.point(k).density, grid.point(k).noise, p.residual});
    };
  const GridProblem problem{design, labels, covariates, options.activation};
  std::vector<Posterior> posteriors = solve_grid(problem, grid, run, pool);
  run.checkpoint = nullptr;  // it knows this grid, not what follows
  if (solver.solver == Solver::ep && shards.alone() &&
      sampler_helps(options, grid, posteriors, labels.size() * inputs)) {
    solver = {Solver::gibbs, "gibbs", "ep converged in no cell, and these data are small enough to sample"};
    run.solver = solver.solver;
    finished = 0;
    posteriors = solve_grid(problem, grid, run, pool);
  }
  out.solver = solver.name;
  out.why = solver.why;
  const Choice choice = choose(options.selection, grid, posteriors, inputs);
  if (choice.loo_log_probability.empty())
    throw InputError("no grid cell gave finite numbers: look at the data for extreme values, or try --transform rank");

  out.chosen = choice.heaviest;
  out.grid = make_cells(grid, posteriors, choice, inputs);
  report_loo(choice, labels, options.recalibrate && options.selection == Selection::stack, out);
  for (std::size_t k = 0; k < posteriors.size(); ++k)
    if (choice.weight[k] > 0) out.train_error += choice.weight[k] * posteriors[k].train_error;
  if (options.check_loo > 0) {
    const LooCheck check =
        check_loo(problem, grid.point(choice.heaviest), run, posteriors[choice.heaviest], options.check_loo, pool);
    out.loo_checked = check.checked;
    out.loo_changed_labels = check.changed_labels;
    out.loo_largest_difference = check.largest_difference;
    out.loo_mean_difference = check.mean_difference;
  }
  std::vector<double> noises;
  for (std::size_t k = 0; k < grid.size(); ++k) noises.push_back(grid.point(k).noise);
  FeatureMixture mixture = mix_features(posteriors, choice.weight, options.activation, noises);
  for (auto* part : {&mixture.inclusion, &mixture.mean, &mixture.sd}) *part = shards.join(*part);
  const auto groups = prepared.preprocessing.directions > 0 ? std::vector<std::vector<std::uint32_t>>()
                                                            : correlated_groups(design, mixture.inclusion);
  const std::vector<double> fixed =
      covariate_fields(posteriors, choice, grid, covariates, options.activation, out.intercept);
  if (!out.model.intercept) out.intercept = 0;
  if (prepared.preprocessing.directions == 0) {
    out.contributions = contributions(design, mixture, fixed, out.intercept, pool);
    for (auto& l : out.contributions.features) l = prepared.preprocessing.kept[l];
  }
  out.model.preprocessing = std::move(prepared.preprocessing);
  FeatureEstimates described =
      describe_features(out.model.preprocessing, prepared.row_scale, {mixture.mean, mixture.sd, mixture.inclusion});
  out.model.weight = std::move(described.weight);
  out.model.sd = std::move(described.sd);
  out.model.inclusion = std::move(described.inclusion);
  report_groups(groups, out.model);
  const bool sites = solver.solver == Solver::ep && options.keep_variances &&
                     labels.size() * inputs * sizeof(float) <= most_stored_bytes && labels.size() <= most_ep_samples;
  out.model.components = make_components(grid, posteriors, choice, sites, shards);
  add_warnings(solver.solver, choice, out);
  store_training(prepared, shards, std::move(labels), sites, out.model);
  out.resources = {shards.ranks(), pool.size(), static_cast<std::size_t>(shards.largest(static_cast<double>(bytes))),
                   shards.largest(shards.seconds()), out.resources.resumed_cells};
  return out;
}

}  // namespace cavity
