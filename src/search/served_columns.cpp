#include "search/served_columns.hpp"

#include <limits>

#include "assess/mean_error.hpp"

namespace cavity {

namespace {

bool sound(const SolvedCell& c) {
  return !c.sampled() && c.status == Status::converged && c.left_out.right != Right::none;
}

}  // namespace

std::vector<std::size_t> served_columns(const std::vector<SolvedCell>& cells, const SampleGroups* groups) {
  const SolvedCell* leader = nullptr;
  for (const SolvedCell& c : cells)
    if (sound(c) && (!leader || c.left_out.log_loss < leader->left_out.log_loss)) leader = &c;
  if (!leader) return {};
  const SolvedCell* next = nullptr;
  double behind = std::numeric_limits<double>::infinity();
  for (const SolvedCell& own : cells) {
    if (own.column != leader->column || !sound(own)) continue;
    for (const SolvedCell& c : cells) {
      if (c.column == own.column || c.where.density != own.where.density || !sound(c)) continue;
      const Gain loss = gain_of(own.left_out.log_probability, c.left_out.log_probability, groups);
      if (loss.value <= loss.se && loss.value < behind) {
        behind = loss.value;
        next = &c;
      }
    }
  }
  if (!next) return {leader->column};
  return {leader->column, next->column};
}

}  // namespace cavity
