// What is said of features: inclusion as an average over densities (fit/evidence_average.hpp), of the cells of a
// question.
#pragma once

#include <vector>

#include "fit/evidence_average.hpp"
#include "search/cells.hpp"
#include "search/grid_solver.hpp"

namespace cavity {

struct FeatureAverage {
  std::vector<double> inclusion{};  // a feature of this process
  std::vector<double> weight{};     // a cell: its posterior probability
  std::vector<KeptHypothesis> hypotheses{};
  RelevantCount relevant{};
  DensityAverage summary{};

  bool known() const { return !weight.empty(); }  // a process may hold no feature
};

/// Nothing where fewer than two densities have an evidence: of one that was asked for, and of solvers without. Then
/// inclusion is that of the mixture.
FeatureAverage average_features(const std::vector<SolvedCell>& cells, const GridProblem& problem);

}  // namespace cavity
