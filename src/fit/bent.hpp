// A bent boundary beside the straight one of a question. Equal relevance is believed by its cavities; pruned relevances
// are fitted to the labels, and what they say is earned by folds without which they are found anew: cavities of 300
// samples of 2000 features say that none is wrong where one half comes. The bent cells have a share where the mixture
// with them predicts samples left out better by more than two standard errors, and of several classes that of them all.
#pragma once

#include <optional>
#include <vector>

#include "cavity/fit.hpp"
#include "fit/fit_table.hpp"
#include "fit/mix.hpp"
#include "search/bent_cells.hpp"

namespace cavity {

/// Standard errors of what is left out that a bend must gain.
constexpr double bend_pays = 2;

struct BentAnswer {
  std::vector<BentCell> cells;
  std::vector<double> weight;  // a cell, sum 1
  BoundaryFit boundary;
  std::optional<Mixed> straight{};  // what the straight cells say alone, where these have a share beside them
};

struct BentQuestion {
  std::span<const std::int8_t> labels;
  ActivationKind activation;
  Solver solver;          // of the straight cells
  std::size_t questions;  // of the fit
};

struct BentMixed {
  BentAnswer answer;
  Mixed mixed;  // the straight cells' weights among each other, and what is said of samples left out by all
};

/// Solves bent cells where they can be had and may pay, and mixes what they say of samples left out with what the
/// straight ones say. UsageError where one was asked for that cannot be had.
BentMixed answer_bent(const FitTable& table, const BentQuestion& question, const FitOptions& options,
                      const Mixed& straight, ThreadPool& pool);

}  // namespace cavity
