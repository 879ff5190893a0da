#include "select/fit_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cavity {

namespace {

using Warnings = std::vector<Warning>;

constexpr double much = 0.1;    // disagreement of leave-one-out errors between cells that carry weight
constexpr double light = 0.05;  // weight in the mixture below which nothing is said
constexpr std::size_t few = 5;  // samples in a class
constexpr const char* places_solver = "places";

template <class Condition>
std::size_t count_cells(const Fit& fit, const Condition& condition) {
  return static_cast<std::size_t>(std::count_if(fit.grid.begin(), fit.grid.end(), condition));
}

Warnings about_convergence(const Fit& fit, bool any_converged) {
  if (!any_converged)
    return {{"not-converged", "no grid cell converged; the numbers shown are those of the one that came closest",
             "allow more updates (`max_iterations`), a larger density or noise, or another solver"}};
  const std::size_t bad = count_cells(
      fit, [](const Cell& c) { return !c.usable && c.status != "not visited" && c.solver != places_solver; });
  if (bad == 0) return {};
  return {{"cells-left-out", fmt::format("{} of {} grid cells did not converge and take no part", bad, fit.grid.size()),
           "nothing needs doing unless you need those cells: more updates (`max_iterations`) or a larger density may "
           "help"}};
}

Warnings about_places(const Fit& fit) {
  const auto sampled = [](const Cell& c) { return c.solver == places_solver && c.status != "not visited"; };
  const std::size_t all = count_cells(fit, sampled);
  if (all == 0 || count_cells(fit, [&](const Cell& c) { return sampled(c) && c.usable; }) > 0) return {};
  return {{"places-not-mixed",
           "the chains that sample few kept features do not agree: the cells that keep fewer than 12 take no part",
           "try another `seed`; chains that never agree mean that many sets of features explain the labels alike"}};
}

Warnings about_restricted_cells(const Fit& fit) {
  const auto restricted = [](const Cell& c) { return c.status == "restricted"; };
  const std::size_t count = count_cells(fit, restricted);
  if (count == 0) return {};
  const bool used = count_cells(fit, [&](const Cell& c) { return restricted(c) && c.weight > 0; }) > 0;
  return {
      {"restricted-cells",
       fmt::format("{} grid cells converged only with their site precisions kept positive; {}", count,
                   used ? "no cell converged freely, so the answer rests on this approximation" : "they take no part"),
       used ? "try a larger density or noise, or check with `check_loo=20` or `solver=gibbs`"
            : "prefer the cells that converged freely"}};
}

Warnings about_independence(const std::string& solver) {
  return {{solver + "-assumes-independence",
           solver + " assumes independent features; on correlated data its leave-one-out error can be far off",
           "use `solver=ep` where it is affordable, or check with `check_loo=20`"}};
}

Warnings about_mixture(const Fit& fit) {
  double lowest = 1, highest = 0, doubtful = 0;
  for (const Cell& c : fit.grid) {
    if (c.weight < light) continue;
    lowest = std::min(lowest, c.loo_error);
    highest = std::max(highest, c.loo_error);
    if (!c.reliable) doubtful += c.weight;
  }
  Warnings out;
  if (highest - lowest > much)
    out.push_back({"cells-disagree",
                   fmt::format("cells in the mixture have leave-one-out errors from {:.3f} to {:.3f}", lowest, highest),
                   "trust the mixture's figure, not the smallest cell's"});
  if (doubtful > light)
    out.push_back({"sparse-cells",
                   fmt::format("{:.0f} % of the mixture rests on very sparse cells, whose leave-one-out is optimistic",
                               100 * doubtful),
                   "check with `check_loo=20`"});
  return out;
}

Warnings about_samples(const Fit& fit, bool any_converged) {
  Warnings out;
  const auto extreme = std::count(fit.loo.reliable.begin(), fit.loo.reliable.end(), false);
  if (any_converged && extreme > 0)
    out.push_back({"extreme-cavities",
                   fmt::format("{} samples have so much influence that their leave-one-out is doubtful", extreme),
                   "look at these samples (they are marked), or refit without them"});
  const std::size_t rarer = std::min(fit.data.class_counts[0], fit.data.class_counts[1]);
  if (rarer < few)
    out.push_back(
        {"few-samples",
         fmt::format("one class has only {} sample{}: no error estimate is worth much", rarer, rarer == 1 ? "" : "s"),
         "get more samples of it"});
  return out;
}

}  // namespace

std::vector<Warning> fit_warnings(const Fit& fit, Solver solver, const Choice& choice) {
  Warnings out;
  for (const Warnings& some :
       {about_convergence(fit, choice.any_converged), about_places(fit), about_restricted_cells(fit),
        solver == Solver::amp || solver == Solver::gamp ? about_independence(to_string(solver)) : Warnings(),
        about_mixture(fit), about_samples(fit, choice.any_converged)})
    out.insert(out.end(), some.begin(), some.end());
  return out;
}

}  // namespace cavity
