#include "search/grid.hpp"

#include <algorithm>

#include "model/activation_kind.hpp"
#include "search/fit_bounds.hpp"

namespace cavity {

namespace {

const std::vector<double> paper_densities = {0.0025, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8};

const std::vector<double> gamp_densities = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005};
const std::vector<double> gamp_noises = {0.1, 0.05, 0.02};  // flips: without any, its messages rarely settle

// What the labels may suffer from, in the order of solving.
struct Column {
  double noise, width;
};
// A soft boundary with next to no flips first: it converges on every table; then flips, few and many, with a boundary
// just soft enough for a fixed point, and one so soft that it is nearly linear regression.
const std::vector<Column> ep_columns = {{0.001, 0.4}, {0.02, 0.2}, {0.08, 0.2}, {0.001, 1}};

std::vector<double> falling(std::vector<double> values) {
  std::sort(values.begin(), values.end(), std::greater<>());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// From half of the features, or all of a few, down to 12; in steps that a solution can follow. Where many samples tell
// of every one of a few features that it decides, a density below 1 asks which of them to do without: no question with
// one answer.
std::vector<double> default_densities(std::size_t features) {
  constexpr double few_features = 200;
  const auto n = static_cast<double>(features);
  std::vector<double> values = {0.5};
  if (n <= few_features) values.push_back(1);
  for (const double kept : {0.1 * n, 200.0, 50.0, 25.0, 12.0})
    if (kept >= fewest_kept && kept < n) values.push_back(kept / n);
  std::vector<double> out;
  for (const double c : falling(values))  // no two that are nearly the same
    if (out.empty() || c < 0.95 * out.back()) out.push_back(c);
  return out;
}

std::vector<Column> sharp(std::vector<double> noises) {
  std::vector<Column> out;
  for (const double noise : falling(std::move(noises))) out.push_back({noise, 0});
  return out;
}

std::vector<Column> asked_columns(const GridOptions& asked, ActivationKind activation, double density) {
  const std::vector<double> noises = asked.noise.empty() ? default_noises(activation, density) : asked.noise;
  std::vector<Column> out;
  for (const double width : asked.width.empty() ? std::vector<double>{0} : falling(asked.width))
    for (const double noise : falling(noises)) out.push_back({noise, width});
  return out;
}

std::vector<Column> columns_at(double density, const FitOptions& options, Solver solver) {
  const ActivationKind activation = options.activation.value_or(ActivationKind::step);
  if (!options.grid.noise.empty() || !options.grid.width.empty())
    return asked_columns(options.grid, activation, density);
  if (options.grid.paper) return sharp(paper_noises(activation, density));
  if (solver == Solver::gamp && activation == ActivationKind::step) return sharp(gamp_noises);
  if (solver == Solver::ep && !options.activation) return ep_columns;
  return sharp(default_noises(activation, density));
}

}  // namespace

GridPoint usual_point() { return {0, ep_columns[1].noise, ep_columns[1].width}; }

double most_flips() { return std::ranges::max_element(ep_columns, {}, &Column::noise)->noise; }

bool is_default_grid(const FitOptions& options) {
  const GridOptions& asked = options.grid;
  return asked.density.empty() && asked.noise.empty() && asked.width.empty() && !asked.paper && !options.activation;
}

Grid make_grid(const FitOptions& options, std::size_t features, Solver solver) {
  Grid grid;
  const bool gamp = solver == Solver::gamp && !options.grid.paper;
  if (!options.grid.density.empty())
    grid.density = falling(options.grid.density);
  else
    grid.density = options.grid.paper ? falling(paper_densities) : gamp ? gamp_densities : default_densities(features);
  for (const double c : grid.density) check_density(c);
  for (const double c : grid.density) {
    grid.noise.emplace_back();
    grid.width.emplace_back();
    for (const auto& [noise, width] : columns_at(c, options, solver)) {
      make_activation(options.activation.value_or(ActivationKind::step), noise, width, c);  // checks the range
      grid.noise.back().push_back(noise);
      grid.width.back().push_back(width);
    }
  }
  return grid;
}

}  // namespace cavity
