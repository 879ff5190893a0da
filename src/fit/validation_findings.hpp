// What a validation says that is more than chance, each with a name, what it means and what to do.
#pragma once

#include <vector>

#include "cavity/validate.hpp"

namespace cavity {

/// The training samples that the new ones are measured against.
struct TrainedOn {
  std::size_t samples = 0;       // rows of the drift
  std::vector<double> left_out;  // samples x classes: what was said of each without it; empty: not known
  bool own_shares = true;        // probabilities are for classes as common as they were in training
};

std::vector<Finding> findings_of(const Validation& validation, const TrainedOn& training);

}  // namespace cavity
