#include "cavity/fit.hpp"

#include <algorithm>

#include "classes/fit_several.hpp"
#include "classes/fit_with_shards.hpp"
#include "grid/fit_bounds.hpp"
#include "select/fit_two.hpp"

namespace cavity {

Fit fit(Dataset data, const FitOptions& options) { return fit(std::move(data), options, Shards::whole()); }

Fit fit(Dataset data, const FitOptions& options, const Shards& shards) {
  check_bounds(options);
  const auto way = data.several_classes() ? fit_several : fit_two;
  return way(std::move(data), options, shards);
}

bool Fit::converged() const {
  if (per_class.empty()) return grid[chosen].usable;
  return std::all_of(per_class.begin(), per_class.end(), [](const ClassFit& c) { return c.grid[c.chosen].usable; });
}

}  // namespace cavity
