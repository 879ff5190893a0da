#include "grid/ep_path.hpp"

#include <algorithm>

#include "grid/column_end.hpp"
#include "grid/ep_cell.hpp"

namespace cavity {

namespace {

constexpr double clearly_behind = 0.02;  // nats a sample, against the best column at the same density
constexpr int rows_to_judge = 2;         // in a row that are so far behind
// Of the log loss from one density to the next, beyond what the column's last step and its neighbours' say: the log
// loss is smooth where EP sees the whole posterior.
constexpr double jump = 0.03;

// What the columns have shown so far.
class Columns {
 public:
  Columns(const Grid& grid, const std::vector<Posterior>& cells)
      : grid_(grid), cells_(cells), end_(grid.columns()), rows_(grid.columns(), 0) {}

  void learn(std::size_t column) { end_[column].learn(at(rows_[column]++, column)); }

  /// Whether the cell that comes next in this column, solved but not learned, has locked onto one peak of several.
  bool jumped(std::size_t column) const {
    const std::size_t row = rows_[column];
    const double fall = fall_to(row, column);
    double expected = std::max(0.0, 2 * fall_to(row - 1, column));
    for (std::size_t j = 0; j < grid_.columns(); ++j)
      if (j != column && row < rows_[j]) expected = std::max(expected, fall_to(row, j));
    return fall > expected + jump;
  }

  bool ended(std::size_t column) const { return end_[column].reached() || behind(column); }

 private:
  static bool sound(const Posterior& p) { return p.status == Status::converged && !p.lone_peak; }
  const Posterior& at(std::size_t row, std::size_t column) const { return cells_[row * grid_.columns() + column]; }

  // Of the log loss, from the denser cell; 0 where one of the two is not known.
  double fall_to(std::size_t row, std::size_t column) const {
    if (row == 0 || row >= grid_.density.size()) return 0;
    const Posterior &from = at(row - 1, column), &to = at(row, column);
    const bool both = from.status == Status::converged && to.status == Status::converged;
    return both ? from.loo_log_loss - to.loo_log_loss : 0;
  }

  double best_at(std::size_t row) const {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < grid_.columns(); ++j)
      if (row < rows_[j] && sound(at(row, j))) best = std::min(best, at(row, j).loo_log_loss);
    return best;
  }

  bool behind(std::size_t column) const {
    int rows = 0;
    for (std::size_t row = rows_[column]; row-- > 0 && rows < rows_to_judge;) {
      const Posterior& p = at(row, column);
      if (p.status == Status::not_visited) return true;
      if (p.status == Status::converged && p.loo_log_loss <= best_at(row) + clearly_behind) return false;
      rows += p.status == Status::converged;
    }
    return rows == rows_to_judge;
  }

  const Grid& grid_;
  const std::vector<Posterior>& cells_;
  std::vector<ColumnEnd> end_;
  std::vector<std::size_t> rows_;  // a column: how many are known
};

// The solutions that cell (i, j) may start from.
EpNeighbours neighbours_of(std::size_t i, std::size_t j, const Grid& grid, const std::vector<EpState>& states) {
  const auto at = [&](std::size_t row, std::size_t column) { return &states[row * grid.columns() + column]; };
  const auto solved = [](const EpState* state) { return state && state->density > 0; };
  EpNeighbours out;
  if (i > 0) out.denser = at(i - 1, j);
  if (j > 0) out.noisier = at(i, j - 1);
  if (i > 0 && j > 0) out.corner = at(i - 1, j - 1);
  if (j > 0) out.noise_of_noisier = grid.noise[i][j - 1];
  if (solved(out.denser) || solved(out.noisier)) return out;
  for (std::size_t row = i; row-- > 0 && !out.edge;)
    if (solved(at(row, j))) out.edge = at(row, j);
  for (std::size_t column = j; column-- > 0 && !out.edge;)
    if (solved(at(i, column))) out.edge = at(i, column);
  return out;
}

std::vector<std::size_t> cells_of_diagonal(std::size_t diagonal, const Grid& grid) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < grid.density.size(); ++i)
    if (diagonal >= i && diagonal - i < grid.columns()) out.push_back(i * grid.columns() + diagonal - i);
  return out;
}

}  // namespace

EpCells walk_ep(const GridProblem& problem, const Grid& grid, const EpWalk& walk, ThreadPool& pool) {
  const std::size_t columns = grid.columns();
  EpCells out{std::vector<Posterior>(grid.size()), std::vector<EpState>(grid.size())};
  std::vector<bool> known(grid.size());
  for (std::size_t cell = 0; cell < grid.size(); ++cell)
    known[cell] = walk.known(cell, out.posteriors[cell], out.states[cell]);
  Columns shown(grid, out.posteriors);
  std::vector<std::size_t> before;  // the diagonal before
  for (std::size_t diagonal = 0; diagonal < grid.density.size() + columns - 1; ++diagonal) {
    const std::vector<std::size_t> all = cells_of_diagonal(diagonal, grid);
    std::vector<std::size_t> cells;
    for (const std::size_t cell : all) {
      if (known[cell]) continue;
      if (walk.may_end && shown.ended(cell % columns)) {
        out.posteriors[cell] = not_visited();
        walk.done(cell, out.posteriors[cell], out.states[cell]);
      } else {
        cells.push_back(cell);
      }
    }
    // Cells of a diagonal at the same time; with other processes one after the other, so that all sum up alike.
    const bool together = cells.size() > 1 && problem.design.shards().alone();
    const auto solve = [&](std::size_t k) {
      const std::size_t cell = cells[k], i = cell / columns, j = cell % columns;
      ThreadPool serial(1);
      const EpNeighbours neighbours = neighbours_of(i, j, grid, out.states);
      const EpEffort effort = walk.may_end ? EpEffort::low : EpEffort::high;
      EpResult result =
          solve_ep_cell(problem, grid.point(cell), neighbours, {walk.options, effort}, together ? serial : pool);
      out.posteriors[cell] = std::move(result.posterior);
      if (out.posteriors[cell].status == Status::converged) out.states[cell] = std::move(result.state);
      walk.done(cell, out.posteriors[cell], out.states[cell]);
    };
    if (together)
      pool.run(cells.size(), solve);
    else
      for (std::size_t k = 0; k < cells.size(); ++k) solve(k);
    for (const std::size_t cell : all) {
      if (walk.may_end && shown.jumped(cell % columns)) {
        out.posteriors[cell].lone_peak = true;
        out.states[cell] = {};
      }
      shown.learn(cell % columns);
    }
    for (const std::size_t cell : before) out.states[cell].history = {};  // the next diagonal starts from this one
    before = all;
  }
  return out;
}

}  // namespace cavity
