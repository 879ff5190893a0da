// What bent cells look at: distances |x|^2 over features weighed by relevance d. A direction m_l = +-sqrt(d_l) of
// random signs has E (m.x)^2 = sum_l d_l x_l^2, so what a regression misses of x by a few such m is missed of
// distances.
#pragma once

#include <vector>

#include "cavity/model.hpp"

namespace cavity {

struct BentLook {
  double weight;                 // of all: 1 together
  std::vector<double> of_input;  // m
};

/// None where the question has no bent cells. The same ones every time.
std::vector<BentLook> bent_looks(const BentMixture& bent, std::size_t inputs);

}  // namespace cavity
