#include "grid/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cavity/errors.hpp"
#include "model/activation_kind.hpp"

namespace cavity {

namespace {

const std::vector<double> paper_densities = {0.0025, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8};

const std::vector<double> gamp_densities = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005};
const std::vector<double> gamp_noises = {0.1, 0.05, 0.02};  // flips: without any, its messages rarely settle

std::vector<double> falling(std::vector<double> values) {
  std::sort(values.begin(), values.end(), std::greater<>());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<double> default_densities(std::size_t features) {
  std::vector<double> values = {0.5, 0.1};
  for (const double kept : {200.0, 50.0, 25.0, 12.0, 6.0}) values.push_back(kept / static_cast<double>(features));
  values = falling(values);
  std::vector<double> out;
  for (const double c : values)  // a small table keeps what makes sense, and no two that are nearly the same
    if (c <= 0.5 && (out.empty() || c < 0.95 * out.back())) out.push_back(c);
  return out;
}

void check_density(double c) {
  if (!(c > 0 && c <= 1))
    throw UsageError(fmt::format("density {} is outside (0, 1]: it is the fraction of features that are kept", c));
}

}  // namespace

Grid make_grid(const FitOptions& options, std::size_t features, Solver solver) {
  Grid grid;
  const ActivationKind activation = options.activation.value_or(ActivationKind::step);
  const bool gamp = solver == Solver::gamp && !options.grid.paper;
  if (!options.grid.density.empty())
    grid.density = falling(options.grid.density);
  else
    grid.density = options.grid.paper ? falling(paper_densities) : gamp ? gamp_densities : default_densities(features);
  for (const double c : grid.density) check_density(c);
  for (const double c : grid.density) {
    std::vector<double> noise = options.grid.noise;
    if (noise.empty()) noise = options.grid.paper ? paper_noises(activation, c) : default_noises(activation, c);
    if (options.grid.noise.empty() && gamp && activation == ActivationKind::step) noise = gamp_noises;
    for (const double s : noise) make_activation(activation, s);  // checks the range
    grid.noise.push_back(falling(noise));
  }
  return grid;
}

}  // namespace cavity
