#include "reproduce/undamped.hpp"

#include <cmath>

#include "cavity/compare.hpp"
#include "design/dense_design.hpp"
#include "infer/amp.hpp"
#include "search/grid.hpp"
#include "table/question.hpp"

namespace cavity {

SettledCells settled_cells(const Dataset& table, unsigned threads) {
  FitOptions options;
  options.grid.paper = true;
  const Grid grid = make_grid(options, table.features.cols());
  const DenseDesign design(view(table.features.dense()));
  const Covariates none;
  const std::vector<std::int8_t> labels = against_rest(table.classes, 1);
  std::vector<char> undamped(grid.size()), damped(grid.size());
  ThreadPool pool(threads);
  pool.run(grid.size(), [&](std::size_t k) {
    ThreadPool serial(1);
    const auto [density, noise, width] = grid.point(k);
    const Problem problem{design, labels, none, make_activation(noise, width * std::sqrt(density)), density};
    SolverOptions solver;
    solver.share = paper_amp_share;
    damped[k] = fit_amp(problem, solver, serial).status == Status::converged;
    solver.share = 1;
    undamped[k] = fit_amp(problem, solver, serial).status == Status::converged;
  });
  SettledCells out;
  out.cells = grid.size();
  for (const char settled : undamped) out.undamped += settled;
  for (const char settled : damped) out.damped += settled;
  return out;
}

}  // namespace cavity
