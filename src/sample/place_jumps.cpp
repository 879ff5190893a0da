#include "sample/place_jumps.hpp"

#include <cmath>

namespace cavity {

std::vector<std::size_t> without(const std::vector<std::size_t>& places, std::size_t place) {
  std::vector<std::size_t> out = places;
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(place));
  return out;
}

PlaceJumps::PlaceJumps(const PlaceModel& model, PlaceColumns& columns, PlaceFactors& factors, ThreadPool& pool)
    : model_(model), columns_(columns), factors_(factors), pool_(pool) {
  latent_.features.resize(model.features());
}

void PlaceJumps::run(State& state, Random& random) {
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

WeightFit PlaceJumps::fit(const std::vector<std::size_t>& places) const {
  const Eigen::Index covariates = model_.covariates.cols();
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(model_.samples()),
                          covariates + static_cast<Eigen::Index>(places.size()));
  if (covariates > 0) columns.leftCols(covariates) = model_.covariates;
  for (std::size_t k = 0; k < places.size(); ++k)
    columns.col(covariates + static_cast<Eigen::Index>(k)) = columns_.values(places[k]);
  return fit_weights(model_, std::move(columns));
}

// At the mode W E[z] is the slope of the log likelihood, so its Bayes factors are a score test's, but for the exponent:
// a label tells less than z does, and the test's variance is smaller in proportion.
void PlaceJumps::propose_to(const std::vector<std::size_t>& places) {
  const WeightFit at = fit(places);
  model_.design.transpose_times({at.latent.data(), model_.samples()}, latent_.features, pool_, Precision::rough);
  latent_.covariates = model_.covariates.transpose() * at.latent;
  factors_.compute(place_basis(model_, columns_, places, &latent_), places, latent_, 1 / at.information);
}

void PlaceJumps::relocate(State& state, Random& random) {
  const std::size_t place = random.below(state.places.size()), old = state.places[place];
  propose_to(without(state.places, place));
  std::vector<std::size_t> to = state.places;
  to[place] = factors_.pick(random);
  const double log_ratio = factors_.log_probability(old) - factors_.log_probability(to[place]);
  decide(state, std::move(to), log_ratio, random);
}

void PlaceJumps::birth(State& state, Random& random) {
  if (state.places.size() == model_.features()) return;
  propose_to(state.places);
  const std::size_t feature = factors_.pick(random);
  std::vector<std::size_t> to = state.places;
  to.insert(to.begin() + static_cast<std::ptrdiff_t>(random.below(to.size() + 1)), feature);
  const double size = static_cast<double>(to.size());
  decide(state, std::move(to), model_.log_odds - std::log(size) - factors_.log_probability(feature), random);
}

void PlaceJumps::death(State& state, Random& random) {
  const std::size_t place = random.below(state.places.size()), old = state.places[place];
  std::vector<std::size_t> to = without(state.places, place);
  propose_to(to);
  const double size = static_cast<double>(state.places.size());
  decide(state, std::move(to), std::log(size) + factors_.log_probability(old) - model_.log_odds, random);
}

void PlaceJumps::decide(State& state, std::vector<std::size_t> to, double log_ratio, Random& random) {
  if (fitted_ != state.places || here_.mode.size() == 0) {
    here_ = fit(state.places);
    fitted_ = state.places;
  }
  WeightFit other = fit(to);
  WeightDraw here = draw_weights(model_, here_, &state.weights, random);
  WeightDraw there = draw_weights(model_, other, nullptr, random);
  if (std::log(random.uniform()) < log_ratio + there.log_likelihood - here.log_likelihood) {
    for (const std::size_t feature : to) columns_.fetch(feature, to, pool_);
    fitted_ = to;
    here_ = std::move(other);
    state = {std::move(to), std::move(there.weights)};
  } else {
    state.weights = std::move(here.weights);
  }
}

}  // namespace cavity
