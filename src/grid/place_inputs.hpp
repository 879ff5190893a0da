// What the sampled rows see of a dense table: each feature as normal scores among the samples, so that what a few
// features say does not hang on their units. Where whole samples were transformed, as ranks within each, both forms are
// there: the values as measured, if a gene decides by its own level, and the transformed ones, if it decides by its
// level among the others. Single cuts tell which of them has more to say (cut_evidence.hpp).
#pragma once

#include <memory>

#include "design/dense_design.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

struct PlaceInputs {
  PlaceInputs(FeatureMatrix values, bool as_measured)
      : scores(std::move(values)), design(view(scores)), measured(as_measured) {}

  FeatureMatrix scores;  // samples x inputs
  DenseDesign design;    // over them
  bool measured;         // of the values before the transform
};

/// None of a table that is not dense: its rows see what inference sees. `flip`: of a label.
std::shared_ptr<const PlaceInputs> make_place_inputs(const Prepared& prepared, std::span<const std::int8_t> labels,
                                                     double flip, ThreadPool& pool);

}  // namespace cavity
