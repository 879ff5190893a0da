// From the solved grid to one answer: which cells predict, with what weights, and what leave-one-out says of them.
#pragma once

#include <optional>
#include <vector>

#include "assess/sample_groups.hpp"
#include "cavity/fit_options.hpp"
#include "cavity/model.hpp"
#include "infer/posterior.hpp"
#include "search/grid.hpp"

namespace cavity {

/// Cells that keep fewer features than this and have no folds have an optimistic leave-one-out: they take no part
/// beside others.
inline constexpr double fewest_reliable = 10;

struct Choice {
  std::vector<double> weight;  // a cell, sum 1
  std::size_t heaviest = 0;
  std::vector<double> loo_log_probability;  // of each sample's own label, headline
  /// The same by weights, a share and recalibrations that have seen the sample; empty where cells are not mixed.
  std::vector<double> flattered_log_probability;
  PartRecalibration part_recalibration;  // of the others beside sampled cells; the above has it
  std::vector<bool> loo_reliable;        // a sample
  bool any_converged = true;
};

/// A cell's leave-one-out is reliable when it converged and is by folds, or keeps enough features and is not one peak
/// of several; of a sampled cell, when enough draws speak for it.
bool reliable_cell(const Grid& grid, std::size_t cell, const Posterior& posterior, std::size_t features);

Choice choose(Selection selection, const Grid& grid, const std::vector<Posterior>& posteriors, std::size_t features,
              const SampleGroups* groups = nullptr, bool recalibrate = true);

}  // namespace cavity
