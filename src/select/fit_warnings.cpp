#include "select/fit_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cavity {

namespace {

constexpr double much = 0.1;    // disagreement of leave-one-out errors between cells that carry weight
constexpr std::size_t few = 5;  // samples in a class

void warn(Fit& fit, std::string name, std::string text, std::string cure) {
  fit.warnings.push_back({std::move(name), std::move(text), std::move(cure)});
}

}  // namespace

void add_warnings(Solver solver, const Choice& choice, Fit& fit) {
  const auto bad = static_cast<std::size_t>(
      std::count_if(fit.grid.begin(), fit.grid.end(), [](const Cell& c) { return !c.usable; }));
  const auto restricted = static_cast<std::size_t>(
      std::count_if(fit.grid.begin(), fit.grid.end(), [](const Cell& c) { return c.status == "restricted"; }));
  if (!choice.any_converged)
    warn(fit, "not-converged", "no grid cell converged; the numbers shown are those of the one that came closest",
         "allow more updates (--max-iterations), a larger density or noise, or another solver");
  else if (bad > 0)
    warn(fit, "cells-left-out",
         fmt::format("{} of {} grid cells did not converge and take no part", bad, fit.grid.size()),
         "nothing needs doing unless you need those cells: more updates (--max-iterations) or a larger density may "
         "help");
  const bool used = std::any_of(fit.grid.begin(), fit.grid.end(),
                                [](const Cell& c) { return c.status == "restricted" && c.weight > 0; });
  if (restricted > 0)
    warn(
        fit, "restricted-cells",
        fmt::format("{} grid cells converged only with their site precisions kept positive; {}", restricted,
                    used ? "no cell converged freely, so the answer rests on this approximation" : "they take no part"),
        used ? "try a larger density or noise, or check with --check-loo 20 or --solver gibbs"
             : "prefer the cells that converged freely");
  if (solver == Solver::amp)
    warn(fit, "amp-assumes-independence",
         "amp assumes independent features; on correlated data its leave-one-out error can be far off",
         "use --solver ep where it is affordable, or check with --check-loo 20");
  double lowest = 1, highest = 0, doubtful = 0;
  for (const Cell& c : fit.grid) {
    if (c.weight < 0.05) continue;
    lowest = std::min(lowest, c.loo_error);
    highest = std::max(highest, c.loo_error);
    if (!c.reliable) doubtful += c.weight;
  }
  if (highest - lowest > much)
    warn(fit, "cells-disagree",
         fmt::format("cells in the mixture have leave-one-out errors from {:.3f} to {:.3f}", lowest, highest),
         "trust the mixture's figure, not the smallest cell's");
  if (doubtful > 0.05)
    warn(fit, "sparse-cells",
         fmt::format(
             "{:.0f} % of the mixture rests on very sparse cells, whose leave-one-out is optimistic; the headline "
             "error is the worse of the mixture with and without them",
             100 * doubtful),
         "check with --check-loo 20");
  const auto extreme = std::count(fit.loo_reliable.begin(), fit.loo_reliable.end(), false);
  if (choice.any_converged && extreme > 0)
    warn(fit, "extreme-cavities",
         fmt::format("{} samples have so much influence that their leave-one-out is doubtful", extreme),
         "look at these samples (they are marked), or refit without them");
  const std::size_t rarer = std::min(fit.class_counts[0], fit.class_counts[1]);
  if (rarer < few)
    warn(fit, "few-samples",
         fmt::format("one class has only {} sample{}: no error estimate is worth much", rarer, rarer == 1 ? "" : "s"),
         "get more samples of it");
}

}  // namespace cavity
