// What a chain leaves behind, and what several say together.
#pragma once

#include "sample/chain_statistics.hpp"
#include "sample/place_chain.hpp"
#include "sample/place_draws.hpp"
#include "sample/places.hpp"

namespace cavity {

struct PlaceRecord {
  ChainSums sums;  // of the number of places and the log likelihood
  PlaceTally tally;
  PlaceDraws draws;
  std::vector<double> field, field_square;  // a sample: sums of the field's two moments
  PlaceState last;
};

/// `draws` is a multiple of ChainSums::batches.
PlaceRecord run_place_chain(const PlaceModel& model, std::size_t kept, const PlaceOptions& options, std::size_t draws,
                            Random random);

/// Everything but leave-one-out.
PlaceResult summarise_places(const PlaceProblem& problem, const PlaceOptions& options,
                             std::span<const PlaceRecord> records, ThreadPool& pool);

}  // namespace cavity
