// From solved cells to one answer: which predict, with what weights, and what leave-one-out says of them together.
#pragma once

#include <vector>

#include "assess/sample_groups.hpp"
#include "cavity/fit_options.hpp"
#include "cavity/model.hpp"
#include "search/cells.hpp"

namespace cavity {

struct Mixed {
  std::vector<double> weight;  // a cell, sum 1
  std::size_t heaviest = 0;
  std::vector<double> loo_log_probability;  // of each sample's own label, headline
  /// The same by weights, a share and recalibrations that have seen the sample; empty where cells are not mixed.
  std::vector<double> flattered_log_probability;
  PartRecalibration part_recalibration;  // of the others beside sampled cells; the above has it
  std::vector<bool> loo_reliable;        // a sample
  bool any_converged = true;
};

struct MixOptions {
  Selection by = Selection::stack;
  std::size_t features = 0;              // that inference sees
  const SampleGroups* groups = nullptr;  // of samples that are left out together; none: each alone
  bool recalibrate = true;
};

Mixed mix(const std::vector<SolvedCell>& cells, const MixOptions& options);

}  // namespace cavity
