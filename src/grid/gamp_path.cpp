#include "grid/gamp_path.hpp"

#include <algorithm>
#include <limits>

#include "infer/gamp.hpp"

namespace cavity {

namespace {

constexpr double clear_rise = 0.005;  // nats a sample above the column's best: more than neighbouring cells differ by
constexpr int cells_to_end = 2;       // in a row that rise or do not settle

// What a column has shown so far.
class Column {
 public:
  bool ended() const { return worse_ >= cells_to_end || failed_ >= cells_to_end; }
  void learn(const Posterior& p) {
    failed_ = p.status == Status::converged ? 0 : failed_ + 1;
    if (failed_ > 0) return;
    worse_ = p.loo_log_loss > best_ + clear_rise ? worse_ + 1 : 0;
    best_ = std::min(best_, p.loo_log_loss);
  }

 private:
  double best_ = std::numeric_limits<double>::infinity();
  int worse_ = 0, failed_ = 0;
};

Posterior not_visited() {
  Posterior out;
  out.status = Status::not_visited;
  return out;
}

// How many cells of a column a checkpoint has: the first ones, since they are solved in order. It has no states, so
// that a column is taken whole from there or solved again, to the same numbers.
std::size_t known_rows(const Grid& grid, std::size_t column, const GampWalk& walk, std::vector<Posterior>& out) {
  std::size_t known = 0;
  for (std::size_t cell = column; cell < grid.size(); cell += grid.columns()) known += walk.known(cell, out[cell]);
  return known;
}

}  // namespace

std::vector<Posterior> walk_gamp(const GridProblem& problem, const Grid& grid, const GampWalk& walk, ThreadPool& pool) {
  std::vector<Posterior> out(grid.size());
  for (std::size_t j = 0; j < grid.columns(); ++j) {
    const std::size_t known = known_rows(grid, j, walk, out);
    if (known == grid.density.size()) continue;
    Column column;
    GampState state;  // of the last cell that settled
    for (std::size_t row = 0; row < grid.density.size(); ++row) {
      const std::size_t cell = row * grid.columns() + j;
      if (walk.may_end && column.ended()) {
        out[cell] = not_visited();
      } else {
        GampResult result =
            fit_gamp(problem.at(grid.point(cell)), walk.options, state.density > 0 ? &state : nullptr, pool);
        out[cell] = std::move(result.posterior);
        if (out[cell].status == Status::converged) state = std::move(result.state);
        column.learn(out[cell]);
      }
      if (row >= known) walk.done(cell, out[cell]);
    }
  }
  return out;
}

}  // namespace cavity
