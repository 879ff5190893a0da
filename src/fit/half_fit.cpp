#include "fit/half_fit.hpp"

#include <algorithm>
#include <memory>

#include "design/some_samples.hpp"
#include "infer/places.hpp"
#include "prepare/make_design.hpp"
#include "search/ep_cell.hpp"
#include "search/fewer_samples.hpp"
#include "search/search.hpp"

namespace cavity {

namespace {

constexpr double half_tolerance = 2e-5;  // an inclusion is then known to 1e-4

/// The rows of a dense table copied, for products at their own size; other tables leave the other samples out.
struct SomeRows {
  std::vector<std::int8_t> labels;
  Covariates covariates;
  Inputs inputs;
  std::unique_ptr<const Design> design;

  SomeRows(const FitTable& table, const Answer& a, const std::vector<std::size_t>& samples) {
    const Prepared& prepared = *table.prepared;
    for (const std::size_t mu : samples) labels.push_back(a.labels[mu]);
    covariates.precision = table.covariates.precision;
    covariates.values = table.covariates.count() > 0 ? Matrix(table.covariates.values(samples, Eigen::all))
                                                     : Matrix(static_cast<Eigen::Index>(samples.size()), 0);
    if (!prepared.features.is_dense()) {
      design = std::make_unique<SomeSamples>(*table.design, samples);
      return;
    }
    const FeatureMatrix& all = prepared.features.dense();
    FeatureMatrix values(samples.size(), all.cols);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      std::copy_n(all.row(samples[i]), all.cols, values.row(i));
      inputs.row_scale.push_back(prepared.row_scale[samples[i]]);
    }
    inputs.features = std::move(values);
    inputs.columns = prepared.columns;
    design = make_design(inputs);
  }
};

Posterior solve_ep(const GridProblem& problem, const GridPoint& point, const GridRun& run, const EpState* start,
                   ThreadPool& pool) {
  const SolverOptions options = solver_options(run);
  const Problem here = problem.at(point);
  if (start)
    for (const bool newton : {false, true})
      if (EpResult warm = fit_ep(here, options, {start, newton}, pool); warm.posterior.status == Status::converged)
        return std::move(warm.posterior);
  return solve_ep_cell(problem, point, {}, {options, EpEffort::high}, pool).posterior;
}

/// The cell's column down to it: gamp comes down from dense cells.
Grid way_to(const std::vector<SolvedCell>& cells, const SolvedCell& cell) {
  Grid out;
  for (const SolvedCell& c : cells) {
    if (c.column != cell.column || c.where.density < cell.where.density) continue;
    out.density.push_back(c.where.density);
    out.noise.push_back({c.where.noise});
    out.width.push_back({c.where.width});
  }
  return out;
}

Posterior sample_cell(const Problem& problem, const FitOptions& options, ThreadPool& pool) {
  PlaceOptions how;
  how.chains = 2;
  how.warm_up = 40;
  how.draws = 96;
  how.seed = options.solver.seed;
  how.r_hat_limit = 1.5;
  return sample_places(place_problem(problem), how, pool).posterior;
}

}  // namespace

std::optional<std::vector<double>> half_inclusion(const FitTable& table, const Answer& a, const FitOptions& options,
                                                  const std::vector<std::size_t>& samples) {
  ThreadPool pool(1);
  const SomeRows rows(table, a, samples);
  const GridProblem problem{*rows.design, rows.labels, rows.covariates, a.activation};
  const SomeSamples seen_by_draws(a.cells.place_design(*table.design), samples);
  const std::size_t inputs = table.prepared->inputs();
  const double forms = static_cast<double>(seen_by_draws.features()) / static_cast<double>(inputs);
  const GridProblem few{seen_by_draws, rows.labels, rows.covariates, a.activation};
  GridRun run = make_run(a.cells.solver, options);
  run.may_end = false;
  run.tolerance = std::max(run.tolerance, half_tolerance);
  std::vector<double> out(table.design->features(), 0);
  double weight = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a.weight(k) == 0) continue;
    const SolvedCell& cell = a.cell(k);
    const GridPoint& where = cell.where;
    Posterior p;
    if (cell.sampled()) {
      p = sample_cell(few.at({where.density / forms, where.noise, where.width}), options, pool);
    } else if (cell.by == Method::ep) {
      const EpState start = cell.state ? told_by(*cell.state, samples) : EpState{};
      p = solve_ep(problem, where, run, cell.state ? &start : nullptr, pool);
    } else {
      p = *solve_grid(problem, way_to(a.cells.list, cell), run, pool).back().posterior;
    }
    if (!usable(p.status)) continue;
    weight += a.weight(k);
    for (std::size_t l = 0; l < p.inclusion.size(); ++l) out[l % inputs] += a.weight(k) * p.inclusion[l];
  }
  if (weight == 0) return std::nullopt;
  for (double& inclusion : out) inclusion /= weight;
  return out;
}

}  // namespace cavity
