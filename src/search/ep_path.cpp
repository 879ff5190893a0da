#include "search/ep_path.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "search/column_end.hpp"
#include "search/ep_cell.hpp"
#include "search/policies.hpp"

namespace cavity {

namespace {

class EpGrid {
 public:
  EpGrid(const GridProblem& problem, const Grid& grid, const EpWalk& walk, ThreadPool& pool)
      : problem_(problem), grid_(grid), walk_(walk), pool_(pool), known_(grid.size()), visited_(grid.size()) {
    out_.posteriors.resize(grid.size());
    out_.states.resize(grid.size());
    for (std::size_t cell = 0; cell < grid.size(); ++cell)
      known_[cell] = walk.known(cell, out_.posteriors[cell], out_.states[cell]);
  }

  EpCells take() { return std::move(out_); }

  /// By anti-diagonals, whose cells are independent.
  void solve_all() {
    std::vector<std::size_t> before;
    for (std::size_t diagonal = 0; diagonal < rows() + grid_.columns() - 1; ++diagonal) {
      std::vector<std::size_t> cells;
      for (std::size_t i = 0; i < rows(); ++i)
        if (diagonal >= i && diagonal - i < grid_.columns()) cells.push_back(cell_at(i, diagonal - i));
      solve(cells, [this](std::size_t cell) { return grid_neighbours(cell); });
      for (const std::size_t cell : before) out_.states[cell].history = {};  // the next diagonal starts from this one
      before = cells;
    }
  }

  /// All columns at one density, and the best of them to the end.
  void follow_the_best() {
    if (!follow_known()) {
      scout();
      if (const auto leader = best_column(scouted())) follow_to_best(*leader, scouted());
    }
    for (std::size_t cell = 0; cell < grid_.size(); ++cell) {
      if (visited_[cell] || known_[cell]) continue;
      out_.posteriors[cell] = not_visited();
      walk_.done(cell, out_.posteriors[cell], out_.states[cell]);
    }
  }

 private:
  std::size_t rows() const { return grid_.density.size(); }
  std::size_t cell_at(std::size_t row, std::size_t column) const { return row * grid_.columns() + column; }
  const Posterior& at(std::size_t row, std::size_t column) const { return out_.posteriors[cell_at(row, column)]; }
  bool sound(std::size_t row, std::size_t column) const { return out_.sound(cell_at(row, column)); }

  /// The first of the columns that served a like problem, and where it is best the others beside it. False where there
  /// are none, or the first does not converge.
  bool follow_known() {
    if (problem_.columns.empty()) return false;
    const std::size_t leader = problem_.columns.front();
    // Of a few features it is likeliest that all are needed: most columns then end at the second row.
    const std::size_t first = grid_.density.front() == 1 ? 0 : scouted();
    solve({cell_at(first, leader)}, [this](std::size_t cell) { return from_denser(cell); });
    if (!sound(first, leader)) return false;
    const std::size_t row = follow_to_best(leader, first);
    std::vector<std::size_t> others;
    for (const std::size_t column : problem_.columns.subspan(1)) others.push_back(cell_at(row, column));
    solve_from(others, cell_at(row, leader));
    follow_if_better(row, leader);
    return true;
  }

  std::size_t follow_to_best(std::size_t leader, std::size_t first) {
    const std::size_t row = follow(leader, first + 1);
    if (row == first && row > 0) solve_from({cell_at(0, leader)}, cell_at(row, leader));
    return row;
  }

  void follow_if_better(std::size_t row, std::size_t leader) {
    const bool at_the_edge = row + 1 < rows() && visited_[cell_at(row + 1, leader)] && !sound(row + 1, leader);
    if (at_the_edge) return;
    if (const auto better = best_column(row); better && *better != leader) follow(*better, row + 1);
  }

  // The densest row differs little from the next one, and costs as much: it is but where the others start. (That of a
  // few features, all of them kept, is solved for the leader where the next one is its best.)
  std::size_t scouted() const { return std::min<std::size_t>(1, rows() - 1); }

  void scout() {
    const std::size_t row = scouted();
    for (std::size_t i = 0; i <= row; ++i) {
      solve({cell_at(i, 0)}, [this](std::size_t cell) { return from_denser(cell); });
      if (!sound(i, 0)) return scout_without_first(i);
    }
    std::vector<std::size_t> others;
    for (std::size_t j = 1; j < grid_.columns() && policies().scouting; ++j) others.push_back(cell_at(row, j));
    solve_from(others, cell_at(row, 0));
  }

  // The first column ended at `row`; the others begin at the densest, and end where they fail.
  void scout_without_first(std::size_t row) {
    std::vector<std::size_t> others;
    for (std::size_t j = 1; j < grid_.columns(); ++j) others.push_back(cell_at(0, j));
    if (row > 0)
      solve_from(others, cell_at(0, 0));
    else
      solve(others, [](std::size_t) { return EpNeighbours(); });
    if (scouted() == 0) return;
    std::erase_if(others, [this](std::size_t cell) { return !out_.sound(cell); });
    for (std::size_t& cell : others) cell += grid_.columns();
    solve(others, [this](std::size_t cell) { return from_denser(cell); });
  }

  // From one that is solved, of the same row; below the scouted one by what the columns differed there.
  void solve_from(const std::vector<std::size_t>& cells, std::size_t solved) {
    solve(cells, [this, solved](std::size_t cell) {
      EpNeighbours out;
      out.noisier = &out_.states[solved];
      out.noisier_at = grid_.point(solved);
      if (solved / grid_.columns() <= scouted()) return out;
      out.denser = state_at(scouted(), cell % grid_.columns());
      out.corner = state_at(scouted(), solved % grid_.columns());
      return out;
    });
  }

  // Down a column from `row`, each cell from the last, until it has shown enough. Returns the row where it is best.
  std::size_t follow(std::size_t column, std::size_t row) {
    ColumnEnd end(problem_.groups);
    std::size_t best = 0;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows(); ++i) {
      if (i >= row) {
        if (end.reached()) break;
        solve({cell_at(i, column)}, [this](std::size_t cell) { return from_denser(cell); });
        if (i > 1) out_.states[cell_at(i - 2, column)].history = {};
      }
      const Posterior& p = at(i, column);
      end.learn(p);
      if (!sound(i, column) || p.loo_log_loss >= lowest) continue;
      lowest = p.loo_log_loss;
      best = i;
    }
    return best;
  }

  std::optional<std::size_t> best_column(std::size_t row) const {
    std::optional<std::size_t> best;
    for (std::size_t j = 0; j < grid_.columns(); ++j)
      if (sound(row, j) && visited_[cell_at(row, j)] &&
          (!best || at(row, j).loo_log_loss < at(row, *best).loo_log_loss))
        best = j;
    return best;
  }

  /// Cells that do not depend on each other at the same time; with other processes one after the other, so that all sum
  /// up alike.
  template <class Neighbours>
  void solve(const std::vector<std::size_t>& wanted, const Neighbours& neighbours) {
    std::vector<std::size_t> cells;
    for (const std::size_t cell : wanted) {
      visited_[cell] = true;
      if (!known_[cell]) cells.push_back(cell);
    }
    const bool together = cells.size() > 1 && problem_.design.shards().alone();
    const auto one = [&](std::size_t k) {
      const std::size_t cell = cells[k];
      const EpSearch search{walk_.options, walk_.may_end ? EpEffort::low : EpEffort::high};
      EpResult result = solve_ep_cell(problem_, grid_.point(cell), neighbours(cell), search, pool_);
      out_.posteriors[cell] = std::move(result.posterior);
      if (out_.posteriors[cell].status == Status::converged) out_.states[cell] = std::move(result.state);
      walk_.done(cell, out_.posteriors[cell], out_.states[cell]);
    };
    if (together)
      pool_.run(cells.size(), one);
    else
      for (std::size_t k = 0; k < cells.size(); ++k) one(k);
  }

  EpNeighbours from_denser(std::size_t cell) const {
    EpNeighbours out;
    for (std::size_t i = cell / grid_.columns(); i-- > 0 && !out.denser;)
      if (const EpState* state = state_at(i, cell % grid_.columns()); state->density > 0) out.denser = state;
    return out;
  }

  EpNeighbours grid_neighbours(std::size_t cell) const {
    const std::size_t i = cell / grid_.columns(), j = cell % grid_.columns();
    const auto solved = [](const EpState* state) { return state && state->density > 0; };
    EpNeighbours out;
    if (i > 0) out.denser = state_at(i - 1, j);
    if (j > 0) out.noisier = state_at(i, j - 1);
    if (i > 0 && j > 0) out.corner = state_at(i - 1, j - 1);
    if (j > 0) out.noisier_at = grid_.point(cell_at(i, j - 1));
    if (solved(out.denser) || solved(out.noisier)) return out;
    for (std::size_t row = i; row-- > 0 && !out.edge;)
      if (solved(state_at(row, j))) out.edge = state_at(row, j);
    for (std::size_t column = j; column-- > 0 && !out.edge;)
      if (solved(state_at(i, column))) out.edge = state_at(i, column);
    return out;
  }

  const EpState* state_at(std::size_t row, std::size_t column) const { return &out_.states[cell_at(row, column)]; }

  const GridProblem& problem_;
  const Grid& grid_;
  const EpWalk& walk_;
  ThreadPool& pool_;
  EpCells out_;
  std::vector<bool> known_, visited_;
};

}  // namespace

EpCells walk_ep(const GridProblem& problem, const Grid& grid, const EpWalk& walk, ThreadPool& pool) {
  EpGrid cells(problem, grid, walk, pool);
  if (walk.may_end)
    cells.follow_the_best();
  else
    cells.solve_all();
  return cells.take();
}

}  // namespace cavity
