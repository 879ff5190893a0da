// Would other samples have given the same list? The fit repeated on random halves of the samples: complementary pairs
// (Shah & Samworth, J. R. Stat. Soc. B 75 (2013) 55), each half solved from the solution of all samples, with the cells
// and weights of the mixture kept as they are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cavity/fit.hpp"

namespace cavity {

struct StabilityOptions {
  FitOptions fit{};        // its checkpoint keeps finished halves, too, in a file of its own: FILE.halves
  std::size_t pairs = 50;  // of halves that have no sample in common
  /// A half selects this many features, those most included.
  std::size_t selected = 10;
  /// Instead: the longest list of those most included whose expected false fraction is at most this, in (0, 1).
  std::optional<double> rate{};
  double threshold = 0.6;  // share of halves that must select a feature for it to be stable, in (1/2, 1]
  /// gamp: the average over all halves without drawing one, at the cost of a few fits. For many features that are
  /// nearly independent; InputError where it does not settle.
  bool analytic = false;
  std::function<bool(std::size_t done, std::size_t all)> progress{};  // after every half; false stops: Interrupted
};

/// Correlated features that share their inclusion: selected where one of them is.
struct GroupStability {
  std::vector<std::uint32_t> features;  // positions in the file
  double inclusion = 0;                 // of all samples; at most 1
  double mean = 0, sd = 0, share = 0;   // over halves
};

struct Stability {
  Fit fit;                             // of all samples
  std::vector<double> mean, sd;        // a feature of the file: of its inclusion, over halves
  std::vector<double> share;           // of the halves that select it
  std::vector<GroupStability> groups;  // as those of the fit
  /// Solved; those in which no cell converged, which are left out. None: the average over all halves, in which members
  /// of a group are taken for independent.
  std::size_t halves = 0, failed = 0;
  double mean_selected = 0;             // features a half selects
  double threshold = 0;                 // see StabilityOptions
  std::vector<std::uint32_t> stable{};  // features at or above it, the most often selected first
  /// At most so many of the stable features are expected to be false: those that a half selects no more often than a
  /// feature drawn at random, mean_selected of all. Nothing else is assumed: q^2/(features (2 threshold - 1)).
  double most_expected_false = 0;
};

/// The same numbers for any number of threads. UsageError for options out of their range and for whitened features.
Stability stability(Dataset data, const StabilityOptions& options = {});
/// Once the answer is in a safe place: of the fit and of the halves.
void remove_checkpoint(const StabilityOptions& options);

}  // namespace cavity
