#include "search/fit_bounds.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "cavity/errors.hpp"
#include "model/activation_kind.hpp"

namespace cavity {

namespace {

// Squares, inverse squares and exponentials of these, times those of the values, are still numbers. No table has a
// million million features, and no probability is known so well.
constexpr double least = 1e-12, most = 1e12;

struct Bounds {
  double low, high;
  bool hold(double value) const { return value >= low && value <= high; }  // false for NaN
};

void require(std::string_view option, double value, Bounds bounds, std::string_view meaning) {
  if (!bounds.hold(value))
    throw UsageError(fmt::format("{} {} is outside [{}, {}]: {}", option, value, bounds.low, bounds.high, meaning));
}

/// 0 has a meaning of its own.
void require_or_0(std::string_view option, double value, Bounds bounds, std::string_view meaning) {
  if (value != 0) require(option, value, bounds, meaning);
}

void check_noise(double noise, ActivationKind kind) {
  make_activation(kind, noise);  // what the kind itself cannot have
  if (kind == ActivationKind::step)
    require_or_0("noise", noise, {least, 0.5}, "flips that are rarer than this are none, 0");
  else
    require("noise", noise, {least, most}, "it is the width of the transition, in units of the fields");
}

void check_shares(const FitOptions& options) {
  constexpr std::string_view meaning = "shares lie between 0 and 1, and no class has all";
  for (std::size_t k = options.class_prior.size(); k-- > 0;)  // of two the second one's was given
    require("`class_prior`", options.class_prior[k], {least, 1 - least}, meaning);
}

}  // namespace

void check_density(double density) {
  if (!(density > 0 && density <= 1))
    throw UsageError(
        fmt::format("density {} is outside (0, 1]: it is the fraction of features that are kept", density));
  require("density", density, {least, 1}, "it is the fraction of features that are kept");
}

void check_bounds(const FitOptions& options) {
  for (const double density : options.grid.density) check_density(density);
  for (const double noise : options.grid.noise) check_noise(noise, options.activation.value_or(ActivationKind::step));
  for (const double width : options.grid.width)
    require_or_0("width", width, {least, most}, "it is the softness of the boundary, in units of the fields' spread");
  check_shares(options);
  require("`tolerance`", options.solver.tolerance, {1e-300, 1}, "it is the residual that counts as converged");
  require("`max_iterations`", options.solver.max_iterations, {0, 1e9}, "it is the update limit of a cell");
  require("amp_share", options.solver.amp_share, {0, 1}, "it is the share of each update that is taken");
  require("least_frequency", options.preprocessing.least_frequency, {0, 0.5}, "no allele is the rarer one above that");
  require("most_missing", options.preprocessing.most_missing, {0, 1}, "it is a share of the calls");
  require("minutes of the checkpoint", options.checkpoint.minutes, {0, 1e6}, "it is the time between two files");
  require("threads", options.threads, {0, 4096}, "more than cores help nobody");
}

}  // namespace cavity
