#include "search/ep_cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/budget.hpp"

namespace cavity {

namespace {

constexpr int bisections = 4;  // of a density step that is too long
// Of all starts of a cell solved with low effort, and whatever one costs: those that converge soundly take up to 15.
constexpr int most_updates = 30;

/// That all starts of a cell may take together: where one costs minutes, a cell that does not converge at once is not
/// worth an hour. Small tables have no limit to speak of.
int affordable_updates(const GridProblem& problem) {
  const auto m = static_cast<double>(problem.design.samples()),
             n = static_cast<double>(problem.design.total_features());
  const double operations = std::min(m, n) * std::min(m, n) * std::max(m, n);
  return static_cast<int>(std::clamp<double>(a_minute / operations, most_updates, 1e6));
}

class CellSearch {
 public:
  CellSearch(const GridProblem& problem, const GridPoint& point, const SolverOptions& options, ThreadPool& pool)
      : problem_(problem), point_(point), options_(options), pool_(pool), left_(affordable_updates(problem)) {
    best_.posterior.residual = std::numeric_limits<double>::infinity();
  }

  EpResult take() { return std::move(best_); }
  void limit(int updates) { left_ = std::min(left_, updates); }

  bool run(const EpState* state, bool newton, EpSites sites = EpSites::free) {
    EpResult result = solve(point_, {state, newton, sites});
    const bool done = usable(result.posterior.status);
    if (done || result.posterior.residual < best_.posterior.residual) best_ = std::move(result);
    return done;
  }

  // By way of a point half way from that of `state`.
  bool through_noise(const EpState* state, const GridPoint& from, bool newton) {
    const EpResult half =
        solve({point_.density, std::sqrt(from.noise * point_.noise), std::sqrt(from.width * point_.width)},
              {state, newton, EpSites::free});
    return half.posterior.status == Status::converged && run(&half.state, newton);
  }

  // A cold start; and where that leads nowhere, one where the boundary is softer, then to the point.
  bool from_cold_or_soft() {
    const int reserve = left_ - left_ / 3;
    left_ -= reserve;
    if (run(nullptr, false)) return true;
    left_ += reserve;
    const EpResult soft = solve({point_.density, point_.noise, point_.width + 1}, {nullptr, false, EpSites::free});
    return soft.posterior.status == Status::converged && run(&soft.state, false);
  }

  // Down in density from `state`, bisecting steps that fail.
  bool through_density(const EpState& state, int depth) {
    const double half_way = std::sqrt(state.density * point_.density);
    const EpResult half = solve({half_way, point_.noise, point_.width}, {&state, true, EpSites::free});
    if (half.posterior.status != Status::converged) {
      return depth > 0 && by_halves(state, half_way, depth - 1) && run(&reached_, true);
    }
    if (run(&half.state, true)) return true;
    return depth > 0 && through_density(half.state, depth - 1);
  }

  // A solution at `density`, left in reached_.
  bool descend(const EpState& state, double density, int depth) {
    EpResult direct = solve({density, point_.noise, point_.width}, {&state, true, EpSites::free});
    if (direct.posterior.status == Status::converged) {
      reached_ = std::move(direct.state);
      return true;
    }
    return by_halves(state, density, depth);
  }

  // The same where the whole step is known to be too long.
  bool by_halves(const EpState& state, double density, int depth) {
    if (depth == 0 || !descend(state, std::sqrt(state.density * density), depth - 1)) return false;
    const EpState from = reached_;
    EpResult rest = solve({density, point_.noise, point_.width}, {&from, true, EpSites::free});
    if (rest.posterior.status != Status::converged) return false;
    reached_ = std::move(rest.state);
    return true;
  }

  // Cold start at a density where that works, then down to the point.
  bool from_cold() {
    const EpResult dense =
        solve({std::max(0.5, point_.density), point_.noise, point_.width}, {nullptr, false, EpSites::free});
    if (dense.posterior.status != Status::converged) return run(nullptr, false);
    return run(&dense.state, false) || run(&dense.state, true) || through_density(dense.state, bisections);
  }

 private:
  EpResult solve(const GridPoint& point, const EpStart& start) {
    EpResult out;
    out.posterior.residual = std::numeric_limits<double>::infinity();
    if (left_ <= 0) return out;
    SolverOptions options = options_;
    options.max_iterations = std::min(options_.max_iterations, left_);
    out = fit_ep(problem_.at(point), options, start, pool_);
    left_ -= out.posterior.iterations;
    return out;
  }

  const GridProblem& problem_;
  const GridPoint& point_;
  const SolverOptions& options_;
  ThreadPool& pool_;
  int left_;  // updates
  EpResult best_;
  EpState reached_;
};

// denser + noisier - corner: what a smooth dependence on both coordinates predicts, in the units of `density`.
EpState extrapolated(const EpState& denser, const EpState& noisier, const EpState& corner, double density) {
  const EpState a = rescaled(denser, density), b = rescaled(noisier, density), c = rescaled(corner, density);
  EpState out = a;
  const auto combine = [](std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& z) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i] - z[i];
  };
  combine(out.linear, b.linear, c.linear);
  combine(out.precision, b.precision, c.precision);
  combine(out.mean, b.mean, c.mean);
  combine(out.log_variance, b.log_variance, c.log_variance);
  out.prior = b.prior;
  return out;
}

struct Starts {
  const EpState *denser, *noisier, *guess;  // null where there is none
  const GridPoint& noisier_at;
};

void search_a_little(CellSearch& search, const Starts& from) {
  const EpState* start = from.guess ? from.guess : from.denser ? from.denser : from.noisier;
  search.limit(start ? most_updates : 3 * most_updates);  // the first of a grid, by three runs
  if (start)
    search.run(start, false);
  else
    search.from_cold_or_soft();
}

void search_hard(CellSearch& search, const Starts& from) {
  const auto& [denser, noisier, guess, noisier_at] = from;
  const bool found =
      (guess && search.run(guess, false)) || (denser && search.run(denser, false)) ||
      (noisier && search.run(noisier, false)) || (noisier && search.run(noisier, true)) ||
      (denser && search.run(denser, true)) || (noisier && search.through_noise(noisier, noisier_at, true)) ||
      (denser && search.through_density(*denser, bisections)) || (!denser && !noisier && search.from_cold());
  if (found) return;
  const EpState* start = denser ? denser : noisier;
  if (!search.run(start, false, EpSites::positive_samples)) search.run(start, false, EpSites::positive);
}

const EpState* present(const EpState* state) { return state && state->density > 0 ? state : nullptr; }

}  // namespace

EpResult solve_ep_cell(const GridProblem& problem, const GridPoint& point, const EpNeighbours& neighbours,
                       const EpSearch& how, ThreadPool& pool) {
  CellSearch search(problem, point, how.options, pool);
  if (neighbours.edge) {
    search.run(neighbours.edge, true);
    return search.take();
  }
  const EpState* denser = present(neighbours.denser);
  const EpState* noisier = present(neighbours.noisier);
  const EpState* corner = present(neighbours.corner);
  EpState guess;
  if (denser && noisier && corner) guess = extrapolated(*denser, *noisier, *corner, point.density);
  const Starts starts{denser, noisier, present(&guess), neighbours.noisier_at};
  if (how.effort == EpEffort::low)
    search_a_little(search, starts);
  else
    search_hard(search, starts);
  return search.take();
}

}  // namespace cavity
