// Panels: the few features that say what a fit of all of them says, and what each one fewer costs. What the fit says of
// its own samples is projected onto few features, found one after the other; the price of every size comes from folds
// in which both the fit and the search are without the fold.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cavity/fit.hpp"

namespace cavity {

struct PanelOptions {
  FitOptions fit{};
  std::size_t most = 20;             // features of the largest panel
  std::vector<std::string> must{};   // in every panel that is large enough, and first
  std::vector<std::string> never{};  // not assayed
  std::vector<std::string> from{};   // only these, and those that must be in it; empty: any
  /// Features whose mean is taken off the values of every sample first, or off their logarithms where panels take
  /// those. They are in no panel themselves, but each panel's model needs them.
  std::vector<std::string> normalise{};
  /// What a feature costs; of those not named 1. Gains are divided by it.
  std::vector<std::pair<std::string, double>> price{};
  std::size_t size = 0;  // of the panel whose members are described; 0: the suggested one
  std::size_t folds = 10;
  std::size_t repeats = 0;  // deals of the folds; 0: three up to 50 samples, else one
  double margin = 0.02;     // nats a sample that a stand-in may lose of what the panel says of the fit
  std::function<bool(std::size_t done, std::size_t all)> progress{};  // after every fold; false stops: Interrupted
};

/// Of samples that neither fit nor search have seen, with the mean over the deals of the folds.
struct PanelPrice {
  double error = 0, error_se = 0, log_loss = 0, log_loss_se = 0, balanced_accuracy = 0;
  Interval error_interval{};
  std::optional<Accuracy> accuracy{};  // of two classes
  /// How much more the panel errs than the whole fit, on the same samples of the same folds.
  double error_more = 0, error_more_se = 0, log_loss_more = 0, log_loss_more_se = 0;
};

/// The first so many features of the path.
struct PanelSize {
  double cost = 0;        // of all its features
  double divergence = 0;  // from what the whole fit says of its samples, nats a sample
  PanelPrice price;
  Fit fit;  // a classifier that needs these features alone; its leave-one-out is by the folds
};

/// Could sit in a member's place.
struct StandIn {
  std::uint32_t feature = 0;
  double loss = 0;   // nats a sample by which the panel then says less of the fit; may be negative
  double share = 0;  // of the folds' panels of this size that have it
};

struct PanelMember {
  std::uint32_t feature = 0;
  double share = 0;                           // of the folds' panels of this size that have it
  std::vector<StandIn> stand_ins{};           // the best first
  std::vector<std::uint32_t> credible_set{};  // of the fit, where it is in one
  std::vector<double> values{};               // a sample, as the panel sees it before it is centred
};

/// Features are positions in the file.
struct Panel {
  Fit fit;                               // of all features
  std::vector<std::uint32_t> path;       // as they were chosen
  std::vector<std::uint32_t> reference;  // whose mean was taken off first
  std::vector<PanelSize> sizes;          // of 1, 2, ... features
  PanelPrice whole;                      // of the fits of all features in the same folds
  /// The smallest whose log loss is within one standard error of the difference to the whole's; 0: none is.
  std::size_t suggested = 0;
  std::size_t size = 0;  // whose members are described
  std::vector<PanelMember> members;
  std::vector<std::vector<std::uint32_t>> fold_paths;  // a fold of a deal
  std::size_t folds = 0, repeats = 0;
  double margin = 0;
};

/// The same numbers for any number of threads. InputError for names that are not in the data, UsageError for options
/// that leave nothing to choose from.
Panel panel(Dataset data, const PanelOptions& options = {});

}  // namespace cavity
