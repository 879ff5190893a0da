#include "search/sampled_cells.hpp"

#include <algorithm>
#include <cmath>

#include "assess/one_kind.hpp"
#include "base/budget.hpp"
#include "search/policies.hpp"
#include "search/single_places.hpp"
#include "search/whole_table.hpp"

namespace cavity {

namespace {

const std::vector<double> rows_kept = {6, 3, 2, 1};
constexpr double single_width = 0.3;  // of a row that keeps one feature

PlaceOptions place_options(const GridProblem& problem, const FitOptions& options) {
  PlaceOptions out;
  out.warm_up = policies().more_draws ? 40 : 20;
  out.draws = policies().more_draws ? 160 : 64;
  out.groups = problem.groups;
  out.seed = options.solver.seed;
  out.r_hat_limit = 1.2;
  if (options.observer.keep_going)
    out.observer = [&options] {
      if (!options.observer.keep_going()) throw Interrupted();
    };
  return out;
}

bool wanted(const Prepared& prepared, const FitOptions& options) {
  return options.solver.kind == Solver::automatic && is_default_grid(options) && options.grid.sparsest &&
         options.selection.by != Selection::evidence && prepared.preprocessing.directions == 0 &&
         prepared.inputs() >= fewest_of_one_kind && prepared.inputs() > prepared.samples() &&
         prepared.samples() <= most_ep_samples;
}

/// In multiplications: draws of a product with the matrix, against EP's updates of all its cells.
bool affordable(const Prepared& prepared, const GridProblem& problem, const PlaceOptions& options,
                const std::vector<SolvedCell>& cells) {
  const auto samples = static_cast<double>(problem.design.samples()),
             features = static_cast<double>(problem.design.features());
  const double places = features * (prepared.measured.cols > 0 ? 2 : 1);
  const double own = options.chains * (options.warm_up + options.draws) * places * samples;
  double updates = 0;
  for (const SolvedCell& c : cells) updates += c.posterior->iterations;
  const double small = std::min(samples, features), ep = updates * small * small * std::max(samples, features);
  return own <= std::max(2 * ep, a_few_seconds);
}

/// The grid's, whose flips are nearest.
std::size_t column_beside(const std::vector<SolvedCell>& cells) {
  const auto nearer = [](const SolvedCell& a, const SolvedCell& b) {
    return std::abs(a.where.noise - most_flips()) < std::abs(b.where.noise - most_flips());
  };
  return std::ranges::min_element(cells, nearer)->column;
}

/// Weights of scores as weights of what inference sees: so that a typical sample's field is the same. A place's.
std::vector<double> units_of_inputs(const PlaceInputs& places, const Design& inputs, ThreadPool& pool) {
  const std::vector<double> ones(inputs.samples(), 1);
  std::vector<double> out(places.design.features()), square(inputs.features());
  places.design.squared_transpose_times(ones, out, pool);
  inputs.squared_transpose_times(ones, square, pool);
  for (std::size_t l = 0; l < out.size(); ++l)
    out[l] = square[l % places.inputs] > 0 ? std::sqrt(out[l] / square[l % places.inputs]) : 0;
  return out;
}

/// From places to inputs, whose forms are hardly ever kept together. Fields are in units of a density of inputs.
void join_forms(std::size_t inputs, Posterior& posterior) {
  const double forms = static_cast<double>(posterior.inclusion.size()) / static_cast<double>(inputs);
  for (std::size_t l = inputs; l < posterior.inclusion.size(); ++l) {
    double& inclusion = posterior.inclusion[l % inputs];
    inclusion = std::min(inclusion + posterior.inclusion[l], 1.0);
    posterior.mean[l % inputs] += posterior.mean[l];
    posterior.variance[l % inputs] += posterior.variance[l];
  }
  for (double& mean : posterior.covariate_mean) mean *= std::sqrt(forms);
  for (double& variance : posterior.covariate_variance) variance *= forms;
  posterior.common_field_variance *= forms;
  for (auto* of_places : {&posterior.inclusion, &posterior.mean, &posterior.variance}) of_places->resize(inputs);
}

void rescale(const std::vector<double>& unit, Posterior& posterior) {
  for (std::size_t l = 0; l < posterior.mean.size(); ++l) {
    posterior.mean[l] *= unit[l];
    posterior.variance[l] *= unit[l] * unit[l];
  }
}

/// Whether one feature and a cut are all there is to a row of one feature, and every sample is left out alone.
bool only_intercept(const GridProblem& problem) {
  return !problem.groups && problem.covariates.count() == 1 && (problem.covariates.values.array() == 1).all();
}

SolvedCell sampled_cell(double kept, std::size_t column, std::size_t features, Method by, PlaceResult result) {
  const GridPoint where{kept / static_cast<double>(features), most_flips(), single_width / std::sqrt(kept)};
  SolvedCell out = solved_cell(where, column, by, std::move(result.posterior));
  if (!result.left_out_known) out.left_out.right = Right::none;
  out.draws = std::make_shared<const PlaceDraws>(std::move(result.draws));
  return out;
}

}  // namespace

Cells with_sampled_cells(Cells cells, const Prepared& prepared, const GridProblem& own, const FitOptions& options,
                         ThreadPool& pool) {
  if (!wanted(prepared, options)) return cells;
  const WholeTable whole(prepared, own);
  const GridProblem& problem = whole.problem();
  const PlaceOptions how = place_options(problem, options);
  if (!affordable(prepared, problem, how, cells.list)) {
    cells.why += "; cells that keep fewer than 12 features are left out: they would cost more than all others";
    return cells;
  }
  cells.whole = whole.design();
  const SinglePlaces single(problem.labels, most_flips(), single_width);
  cells.place_inputs = make_place_inputs(prepared, single, pool);
  const Design& design = cells.place_design(problem.design);
  const PlaceProblem sparse{design, problem.labels, problem.covariates, 1, most_flips(), single_width};
  const PlaceInputs* places = cells.place_inputs.get();
  std::vector<PlaceResult> results = sample_place_rows(sparse, rows_kept, how, pool);
  Method of_one = Method::places;
  if (places && only_intercept(problem)) {
    results.back() = single.sum(*places, pool);
    of_one = Method::one_place;
  }
  if (places) {
    const std::vector<double> unit = units_of_inputs(*places, problem.design, pool);
    for (PlaceResult& result : results) {
      rescale(unit, result.posterior);
      join_forms(places->inputs, result.posterior);
    }
  }
  const std::size_t column = column_beside(cells.list);
  for (std::size_t row = 0; row < results.size(); ++row)
    cells.list.push_back(
        whole.own_part(sampled_cell(rows_kept[row], column, prepared.inputs(),
                                    rows_kept[row] == 1 ? of_one : Method::places, std::move(results[row]))));
  cells.why += "; the places of fewer than 12 features are sampled";
  return cells;
}

}  // namespace cavity
