// Which arrays hold the bent cells of a question: "bent", a row a cell of noise, width, weight and three scales, their
// share, and each cell's relevances and sites.
#pragma once

#include <string>
#include <vector>

#include "cavity/model.hpp"
#include "file/array_file.hpp"

namespace cavity {

/// It and the mixture live until the file is written.
class BentArrays {
 public:
  explicit BentArrays(const BentMixture& mixture);
  void add(const std::string& prefix, ArrayWriter& file) const;

 private:
  const BentMixture& mixture_;
  std::vector<double> numbers_, share_;
};

/// None where the file has none.
BentMixture read_bent(const ArrayReader& file, const std::string& prefix);

/// The first thing that is wrong with it beside these many inputs and training samples; empty: nothing.
std::string bent_fault(const CellMixture& mixture, std::size_t inputs, std::size_t samples);

}  // namespace cavity
