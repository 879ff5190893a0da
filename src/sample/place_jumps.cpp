#include "sample/place_jumps.hpp"

#include <algorithm>
#include <cmath>

namespace cavity {

namespace {

PlaceSetKey with(PlaceSetKey places, std::size_t feature) {
  places.insert(std::ranges::lower_bound(places, feature), feature);
  return places;
}

}  // namespace

std::vector<std::size_t> without(const std::vector<std::size_t>& places, std::size_t place) {
  std::vector<std::size_t> out = places;
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(place));
  return out;
}

void PlaceJumps::run(State& state, Random& random) {
  memory_.make_room();
  const double kind = random.uniform();
  if (kind < 0.25)
    birth(state, random);
  else if (state.places.empty())
    return;
  else if (kind < 0.5)
    death(state, random);
  else
    relocate(state, random);
}

void PlaceJumps::relocate(State& state, Random& random) {
  const std::size_t place = random.below(state.places.size()), old = state.places[place];
  const PlaceSetKey rest = without(state.places, place);
  const PlaceProposal& proposal = memory_.proposal(rest);
  const std::size_t feature = proposal.pick(random);
  decide(state, with(rest, feature), proposal.log_probability(old) - proposal.log_probability(feature), random);
}

void PlaceJumps::birth(State& state, Random& random) {
  if (state.places.size() == model_.features()) return;
  const PlaceProposal& proposal = memory_.proposal(state.places);
  const std::size_t feature = proposal.pick(random), size = state.places.size();
  const double log_ratio =
      model_.rows.log_odds(size) - std::log(static_cast<double>(size + 1)) - proposal.log_probability(feature);
  decide(state, with(state.places, feature), log_ratio, random);
}

void PlaceJumps::death(State& state, Random& random) {
  const std::size_t size = state.places.size(), place = random.below(size), old = state.places[place];
  PlaceSetKey to = without(state.places, place);
  const double log_ratio =
      std::log(static_cast<double>(size)) + memory_.proposal(to).log_probability(old) - model_.rows.log_odds(size - 1);
  decide(state, std::move(to), log_ratio, random);
}

void PlaceJumps::decide(State& state, PlaceSetKey to, double log_ratio, Random& random) {
  WeightDraw here = draw_weights(model_, memory_.fit(state.places), &state.weights, random);
  WeightDraw there = draw_weights(model_, memory_.fit(to), nullptr, random);
  if (std::log(random.uniform()) < log_ratio + there.log_likelihood - here.log_likelihood)
    state = {std::move(to), std::move(there.weights)};
  else
    state.weights = std::move(here.weights);
}

}  // namespace cavity
