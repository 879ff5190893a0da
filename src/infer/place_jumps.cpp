#include "infer/place_jumps.hpp"

#include <algorithm>
#include <cmath>

namespace cavity {

namespace {

constexpr std::size_t most_bytes = std::size_t{32} << 20, fewest = 32;

std::size_t most_of(std::size_t numbers) { return std::max(fewest, most_bytes / (sizeof(double) * numbers)); }

}  // namespace

std::size_t PlaceMemory::Hash::operator()(const PlaceSetKey& places) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (const std::size_t feature : places) {
    hash = (hash ^ feature) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return static_cast<std::size_t>(hash);
}

PlaceMemory::PlaceMemory(const PlaceModel& model, PlaceColumns& columns, PlaceFactors& factors, ThreadPool& pool)
    : model_(model),
      columns_(columns),
      factors_(factors),
      pool_(pool),
      most_fits_(most_of(8 * model.samples())),
      most_proposals_(most_of(model.features())) {
  latent_.features.resize(model.features());
}

const WeightFit& PlaceMemory::fit(const PlaceSetKey& places) {
  if (const auto found = fits_.find(places); found != fits_.end()) return found->second;
  return fits_.emplace(places, fit_places(model_, columns_, places)).first->second;
}

const PlaceProposal& PlaceMemory::proposal(const PlaceSetKey& places) {
  if (const auto found = proposals_.find(places); found != proposals_.end()) return found->second;
  return proposals_.emplace(places, make_proposal(places)).first->second;
}

void PlaceMemory::make_room() {
  if (fits_.size() >= most_fits_) fits_.clear();
  if (proposals_.size() >= most_proposals_) proposals_.clear();
}

WeightFit fit_places(const PlaceModel& model, const PlaceColumns& columns, const PlaceSetKey& places) {
  const Eigen::Index covariates = model.covariates.cols();
  Eigen::MatrixXd u(static_cast<Eigen::Index>(model.samples()), covariates + static_cast<Eigen::Index>(places.size()));
  if (covariates > 0) u.leftCols(covariates) = model.covariates;
  for (std::size_t k = 0; k < places.size(); ++k)
    u.col(covariates + static_cast<Eigen::Index>(k)) = columns.values(places[k]);
  return fit_weights(model, std::move(u));
}

// At the mode W E[z] is the slope of the log likelihood, so its Bayes factors are a score test's, but for the exponent:
// a label tells less than z does, and the test's variance is smaller in proportion.
PlaceProposal PlaceMemory::make_proposal(const PlaceSetKey& places) {
  const WeightFit& at = fit(places);
  model_.design.transpose_times({at.latent.data(), model_.samples()}, latent_.features, pool_, Precision::rough);
  latent_.covariates = model_.covariates.transpose() * at.latent;
  for (const std::size_t feature : places) columns_.fetch(feature, places, pool_);
  factors_.compute(place_basis(model_, columns_, places, &latent_), places, latent_, 1 / at.information);
  return factors_.proposal();
}

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
  const PlaceProposal& proposal = propose_beside(rest, random);
  const std::size_t feature = proposal.pick(random);
  if (std::ranges::binary_search(rest, feature)) return;
  decide(state, with(rest, feature), proposal.log_probability(old) - proposal.log_probability(feature), random);
}

void PlaceJumps::birth(State& state, Random& random) {
  if (state.places.size() == model_.features()) return;
  const PlaceProposal& proposal = propose_beside(state.places, random);
  const std::size_t feature = proposal.pick(random), size = state.places.size();
  if (std::ranges::binary_search(state.places, feature)) return;
  const double log_ratio =
      model_.rows.log_odds(size) - std::log(static_cast<double>(size + 1)) - proposal.log_probability(feature);
  decide(state, with(state.places, feature), log_ratio, random);
}

void PlaceJumps::death(State& state, Random& random) {
  const std::size_t size = state.places.size(), place = random.below(size), old = state.places[place];
  PlaceSetKey to = without(state.places, place);
  const double log_ratio = std::log(static_cast<double>(size)) + propose_beside(to, random).log_probability(old) -
                           model_.rows.log_odds(size - 1);
  decide(state, std::move(to), log_ratio, random);
}

// The choice does not depend on the state, and neither does what single features propose: both ways of a move have the
// same probability of using it.
const PlaceProposal& PlaceJumps::propose_beside(const PlaceSetKey& rest, Random& random) {
  return memory_.proposal(random.bernoulli(0.5) ? PlaceSetKey{} : rest);
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
