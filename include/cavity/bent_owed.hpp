// What single samples owe to features inside a bent boundary, where no weight says it.
#pragma once

#include <cstdint>
#include <vector>

namespace cavity {

struct Model;

/// Of the training samples and the most relevant features: P(class) by the bent cells with a sample left out, and the
/// same with one of its features at the mean, all others as they are.
struct BentOwed {
  std::vector<std::uint32_t> features;  // places in the file, the most relevant first
  std::vector<double> probability;      // a sample
  std::vector<double> without;          // a sample: a feature
};

/// Empty where the question has no bent cells in which features have a relevance of their own. samples^3 operations a
/// feature and a cell.
BentOwed bent_owed(const Model& model, std::size_t question = 0, unsigned threads = 1);

}  // namespace cavity
