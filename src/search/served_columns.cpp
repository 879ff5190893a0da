#include "search/served_columns.hpp"

#include <limits>

namespace cavity {

namespace {

constexpr double nearly = 0.003;  // nats a sample

bool sound(const SolvedCell& c) {
  return !c.sampled() && c.status == Status::converged && !c.one_peak && c.left_out.right != Right::none;
}

}  // namespace

std::vector<std::size_t> served_columns(const std::vector<SolvedCell>& cells) {
  const SolvedCell* leader = nullptr;
  for (const SolvedCell& c : cells)
    if (sound(c) && (!leader || c.left_out.log_loss < leader->left_out.log_loss)) leader = &c;
  if (!leader) return {};
  const SolvedCell* next = nullptr;
  double behind = nearly;
  for (const SolvedCell& own : cells) {
    if (own.column != leader->column || !sound(own)) continue;
    for (const SolvedCell& c : cells) {
      if (c.column == own.column || c.where.density != own.where.density || !sound(c)) continue;
      if (const double loss = c.left_out.log_loss - own.left_out.log_loss; loss < behind) {
        behind = loss;
        next = &c;
      }
    }
  }
  if (!next) return {leader->column};
  return {leader->column, next->column};
}

}  // namespace cavity
