// The places that sampled cells look at, over the training samples.
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix.hpp"
#include "cavity/model.hpp"
#include "design/dense_design.hpp"

namespace cavity {

/// What the draws of a question see, over the training samples.
struct SeenPlaces {
  std::vector<std::uint32_t> place, input;  // increasing; the input each is a form of
  Matrix values;                            // training samples x places
};

SeenPlaces see_places(const Model& model, const CellMixture& mixture, const DenseDesign& training, ThreadPool& pool);

/// Weight of every seen place, mean over the draws of all cells as each counts.
std::vector<double> mean_draw(const CellMixture& mixture, const std::vector<std::uint32_t>& seen);

}  // namespace cavity
