// Few features that say what a whole fit says (projection; Piironen, Paasiniemi & Vehtari 2020 search likewise, one
// projection a candidate). The target q is what the fit says of its own samples. Forward: with the features chosen so
// far refitted (soft_regression.hpp) to p, slopes V = p (1 - p) and A the columns that are kept anyway and those
// chosen, feature l promises
//   gain_l = (z_l^T (q - p))^2 / (z_l^T V z_l - z_l^T V A (A^T V A + P)^-1 A^T V z_l + ridge),
// twice what one Newton step with it and all of A takes off the objective; of several classes the sum over their own.
// A step costs as many products with the table as A has columns, a class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "design/design.hpp"
#include "fit/soft_regression.hpp"

namespace cavity {

struct PanelProblem {
  const Design& design;
  const Matrix& always;  // samples x columns that every panel keeps: the intercept first, where there is one
  bool intercept;
  const Matrix& target;  // q: samples x 1, of the second of two classes, or samples x classes
  double ridge = 0.005;  // of a weight per standard deviation, a sample
};

struct PanelRules {
  std::size_t most = 20;
  std::vector<std::size_t> must{};  // inputs of the design that come first, the best of them first
  std::vector<char> open{};         // an input: may be chosen; empty: all
  std::vector<double> price{};      // an input: gains are divided by it; empty: all cost alike
};

/// A panel of the first so many features of a path.
struct PanelStep {
  std::size_t feature;  // the one that it adds
  SoftFit fit;          // of always and the features so far
};

/// Steps that add features in turn; fewer than asked for where no feature is left that gains anything.
std::vector<PanelStep> search_panel(const PanelProblem& problem, const PanelRules& rules, ThreadPool& pool);

/// The features' own columns after those that are kept anyway.
Matrix panel_inputs(const PanelProblem& problem, std::span<const std::size_t> features);

/// The regression on some features, from `start` or from nothing.
SoftFit fit_panel(const PanelProblem& problem, const Matrix& inputs, const Matrix* start = nullptr);

/// gain_l of every feature beside `inputs`, whose regression is `fit`.
std::vector<double> panel_gains(const PanelProblem& problem, const Matrix& inputs, const SoftFit& fit,
                                ThreadPool& pool);

}  // namespace cavity
