// What the sampled rows see of a dense table: each feature as normal scores among the samples, so that what a few
// features say does not hang on their units. Where whole samples were transformed, as ranks within each, there are two
// forms: of the transformed values, if a gene decides by its level among the others, and of the values as measured, if
// it decides by its own. A row of one feature is summed over both (single_places.hpp). Chains see the form by which
// single features tell more of the labels that they may see: a fold's chains know nothing of its labels by the choice.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "design/dense_design.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

class SinglePlaces;

struct PlaceForm {
  PlaceForm(FeatureMatrix values, std::vector<double> evidence)
      : scores(std::move(values)), design(view(scores)), log_evidence(std::move(evidence)) {}

  FeatureMatrix scores;              // samples x inputs
  DenseDesign design;                // over them
  std::vector<double> log_evidence;  // an input: of the labels if it alone decides
};

struct PlaceInputs {
  std::vector<PlaceForm> forms;           // of what inference sees; of the values before the transform, if there is one
  std::size_t told = 0;                   // the form that chains see
  std::vector<std::size_t> told_without;  // a fold: the form that its chains see

  const Design& design() const { return forms[told].design; }
};

/// None of a table that is not dense: its rows see what inference sees. `fold`: of a sample, from 0.
std::shared_ptr<const PlaceInputs> make_place_inputs(const Prepared& prepared, const SinglePlaces& single,
                                                     std::span<const std::size_t> fold, ThreadPool& pool);

}  // namespace cavity
