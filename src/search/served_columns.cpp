#include "search/served_columns.hpp"

#include <algorithm>
#include <limits>

namespace cavity {

namespace {

constexpr double nearly = 0.003;  // nats a sample

double loss_at(const Solved& solved, std::size_t row, std::size_t column) {
  const Posterior& p = solved.posteriors[row * solved.grid.columns() + column];
  const bool sound = p.status == Status::converged && !p.doubtful;
  return sound ? p.loo_log_loss : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<std::size_t> served_columns(const Solved& solved) {
  const std::size_t rows = solved.grid.density.size() - solved.grid.place_rows, columns = solved.grid.columns();
  std::size_t leader = 0, next = columns;
  double lowest = std::numeric_limits<double>::infinity(), behind = nearly;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      if (const double loss = loss_at(solved, i, j); loss < lowest) {
        lowest = loss;
        leader = j;
      }
  if (lowest == std::numeric_limits<double>::infinity()) return {};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      if (const double own = loss_at(solved, i, leader), loss = loss_at(solved, i, j);
          j != leader && own < std::numeric_limits<double>::infinity() && loss - own < behind) {
        behind = loss - own;
        next = j;
      }
  if (next == columns) return {leader};
  return {leader, next};
}

}  // namespace cavity
