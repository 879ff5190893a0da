#include "search/gamp_path.hpp"

#include <algorithm>

#include "infer/gamp.hpp"
#include "search/column_end.hpp"

namespace cavity {

namespace {

struct GampColumn {
  std::size_t index, known;  // rows
};

// How many cells of a column a checkpoint has: the first ones, since they are solved in order. It has no states, so
// that a column is taken whole from there or solved again, to the same numbers.
std::size_t known_rows(const Grid& grid, std::size_t column, const GampWalk& walk, std::vector<Posterior>& out) {
  std::size_t known = 0;
  for (std::size_t cell = column; cell < grid.size(); cell += grid.columns()) known += walk.known(cell, out[cell]);
  return known;
}

// From the densest cell down, each from the last that settled, until the column has shown enough.
void walk_column(const GridProblem& problem, const Grid& grid, const GampWalk& walk, GampColumn column,
                 ThreadPool& pool, std::vector<Posterior>& out) {
  const bool wanted = !walk.may_end || problem.columns.empty() || std::ranges::count(problem.columns, column.index) > 0;
  ColumnEnd end(problem.groups);
  GampState state;  // of the last cell that settled
  for (std::size_t row = 0; row < grid.density.size(); ++row) {
    const std::size_t cell = row * grid.columns() + column.index;
    if (!wanted || (walk.may_end && end.reached())) {
      out[cell] = not_visited();
    } else {
      GampResult result =
          fit_gamp(problem.at(grid.point(cell)), walk.options, {state.density > 0 ? &state : nullptr}, pool);
      out[cell] = std::move(result.posterior);
      if (out[cell].status == Status::converged) state = std::move(result.state);
      end.learn(out[cell]);
    }
    if (row >= column.known) walk.done(cell, out[cell]);
  }
}

}  // namespace

// Columns do not depend on each other. One a thread where there are enough of them: an update of a small table is too
// short to be shared.
std::vector<Posterior> walk_gamp(const GridProblem& problem, const Grid& grid, const GampWalk& walk, ThreadPool& pool) {
  std::vector<Posterior> out(grid.size());
  std::vector<GampColumn> columns;
  for (std::size_t j = 0; j < grid.columns(); ++j)
    if (const std::size_t known = known_rows(grid, j, walk, out); known < grid.density.size())
      columns.push_back({j, known});
  const Shards& shards = problem.design.shards();
  if (shards.alone() && !shards.accelerator() && pool.size() <= columns.size()) {
    pool.run(columns.size(), [&](std::size_t k) { walk_column(problem, grid, walk, columns[k], pool, out); });
  } else {
    for (const GampColumn& column : columns) walk_column(problem, grid, walk, column, pool, out);
  }
  return out;
}

}  // namespace cavity
