// What a chain leaves behind, and what several say together.
#pragma once

#include "infer/chain_statistics.hpp"
#include "infer/place_chain.hpp"
#include "infer/place_draws.hpp"
#include "infer/places.hpp"

namespace cavity {

struct PlaceRecord {
  ChainSums sums;                   // of the number of places and the log likelihood
  std::vector<PlaceTally> tallies;  // a row
  PlaceDraws draws;
  PlaceVisits visits;
  Eigen::MatrixXd field, field_square;  // samples x rows: weighted sums of the field's two moments
};

/// `draws` is a multiple of ChainSums::batches.
PlaceRecord run_place_chain(const PlaceModel& model, std::size_t kept, const PlaceOptions& options, std::size_t draws,
                            Random random);

std::vector<PlaceResult> summarise_places(const PlaceProblem& problem, const PlaceModel& model,
                                          const PlaceOptions& options, std::span<const PlaceRecord> records);

}  // namespace cavity
