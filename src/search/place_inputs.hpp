// What the sampled rows see of a dense table: each feature as normal scores among the samples, so that what a few
// features say does not hang on their units. Where whole samples were transformed, as ranks within each, there are two
// forms of each: of the transformed values, if a gene decides by its level among the others, and of the values as
// measured, if it decides by its own. A row may keep either: a choice of one form for all by the labels would flatter
// leave-one-out.
#pragma once

#include <memory>
#include <vector>

#include "design/dense_design.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

class SinglePlaces;

struct PlaceInputs {
  PlaceInputs(FeatureMatrix values, std::vector<double> evidence, std::size_t of_inputs)
      : scores(std::move(values)), design(view(scores)), log_evidence(std::move(evidence)), inputs(of_inputs) {}

  FeatureMatrix scores;              // samples x places: all inputs as inference sees them, then as measured
  DenseDesign design;                // over them
  std::vector<double> log_evidence;  // a place: of the labels if it alone decides
  std::size_t inputs;                // place l is one of input l % inputs

  std::size_t forms() const { return scores.cols / inputs; }
};

/// None of a table that is not dense: its rows see what inference sees.
std::shared_ptr<const PlaceInputs> make_place_inputs(const Prepared& prepared, const SinglePlaces& single,
                                                     ThreadPool& pool);

}  // namespace cavity
