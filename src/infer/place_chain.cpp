#include "infer/place_chain.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "model/normal.hpp"

namespace cavity {

namespace {

constexpr int jumps = 12;       // tries a draw, with z left out: most find what they need remembered
constexpr int gibbs_every = 6;  // draws: moves given z, which cost a product with the matrix

PlaceState random_state(const PlaceModel& model, std::size_t kept, Random& random) {
  PlaceState out;
  while (out.places.size() < std::min(kept, model.features())) {
    const std::size_t feature = random.below(model.features());
    if (std::ranges::find(out.places, feature) == out.places.end()) out.places.push_back(feature);
  }
  std::ranges::sort(out.places);
  for (const double label : model.labels) out.z.push_back(label * std::abs(random.normal()));
  return out;
}

}  // namespace

PlaceChain::PlaceChain(const PlaceModel& model, std::size_t kept, Random random)
    : model_(model),
      random_(random),
      state_(random_state(model, kept, random_)),
      columns_(model.design),
      factors_(model),
      memory_(model, columns_, factors_, alone_),
      jumps_(model, memory_) {
  latent_.features.resize(model_.features());
  update_basis();
  gibbs({});  // before z knows the random places
}

void PlaceChain::step(std::span<PlaceTally> tallies, PlaceVisits* visits) {
  jump(visits);
  draw_z();
  draw_length();
  if (++steps_ % gibbs_every == 0) gibbs(tallies);
}

// The order of the places must not tell where they come from: relocations go through them in turn.
void PlaceChain::gibbs(std::span<PlaceTally> tallies) {
  update_products();
  std::vector<std::size_t>& places = state_.places;
  for (std::size_t i = 0; i + 1 < places.size(); ++i)
    std::swap(places[i], places[i + random_.below(places.size() - i)]);
  for (const std::size_t feature : places) columns_.fetch(feature, places, alone_);
  if (random_.bernoulli(0.5))
    birth();
  else
    death();
  for (std::size_t row = 0; row < tallies.size(); ++row) tallies[row].draws += model_.rows.share(row, places.size());
  for (std::size_t place = 0; place < places.size(); ++place) relocate(place, tallies);
  std::ranges::sort(places);
  update_basis();
}

void PlaceChain::jump(PlaceVisits* visits) {
  PlaceJumps::State state{state_.places, basis_.score};
  for (double& x : state.weights) x += random_.normal();
  basis_.root.triangularView<Eigen::Upper>().solveInPlace(state.weights);
  for (int i = 0; i < jumps; ++i) {
    jumps_.run(state, random_);
    if (visits) visits->add(state.places, memory_.fit(state.places).columns * state.weights);
  }
  state_.places = std::move(state.places);
  update_basis();
  draw_z_given(state.weights);
}

void PlaceChain::draw_z_given(const Eigen::VectorXd& weights) {
  const Eigen::VectorXd field = whitened_ * (basis_.root * weights);
  for (std::size_t i = 0; i < state_.z.size(); ++i)
    state_.z[i] = draw_latent(i, field[static_cast<Eigen::Index>(i)], 1);
  basis_.score = whitened_.transpose() * z();
}

// W_ii and (W z)_i come from B; B^T z is kept up to date: O(covariates + places) a sample.
void PlaceChain::draw_z() {
  Eigen::VectorXd score = basis_.score;
  for (std::size_t i = 0; i < state_.z.size(); ++i) {
    const auto row = whitened_.row(static_cast<Eigen::Index>(i));
    const double precision = 1 - row.squaredNorm(), pull = state_.z[i] - row.dot(score);
    const double drawn = draw_latent(i, state_.z[i] - pull / precision, 1 / std::sqrt(precision));
    score += row.transpose() * (drawn - state_.z[i]);
    state_.z[i] = drawn;
  }
  basis_.score = score;
}

double PlaceChain::draw_latent(std::size_t sample, double mean, double deviation) {
  const double score = mean / deviation, label = model_.labels[sample];
  const double agree = (1 - model_.flip) * normal_cdf(label * score), differ = model_.flip * normal_cdf(-label * score);
  // Where nothing is flipped `differ` is 0, and `agree` may be, too, by underflow.
  const double sign = random_.uniform() * (agree + differ) < differ ? -label : label;
  return mean + sign * deviation * random_.normal_above(-sign * score);
}

// z -> g z leaves all signs; g^2 z^T W z is chi-square with as many degrees of freedom as there are samples.
void PlaceChain::draw_length() {
  double chi_square = 0;
  for (std::size_t i = 0; i < state_.z.size(); ++i) {
    const double x = random_.normal();
    chi_square += x * x;
  }
  z() *= std::sqrt(chi_square / (z().squaredNorm() - basis_.score.squaredNorm()));
}

void PlaceChain::update_products() {
  model_.design.transpose_times(state_.z, latent_.features, alone_);
  latent_.covariates = model_.covariates.transpose() * z();
}

void PlaceChain::consider(const std::vector<std::size_t>& places) {
  factors_.compute(place_basis(model_, columns_, places, &latent_), places, latent_);
}

// Anywhere in the order of the places: relocations go through them in turn, and must find them in any order alike.
void PlaceChain::put(std::size_t feature) {
  columns_.fetch(feature, state_.places, alone_);
  const auto at = static_cast<std::ptrdiff_t>(random_.below(state_.places.size() + 1));
  state_.places.insert(state_.places.begin() + at, feature);
}

void PlaceChain::birth() {
  consider(state_.places);
  const std::size_t size = state_.places.size();
  if (std::log(random_.uniform()) <
      model_.rows.log_odds(size) + factors_.log_total() - std::log(static_cast<double>(size + 1)))
    put(factors_.pick(random_));
}

void PlaceChain::death() {
  if (state_.places.empty()) return;
  const std::size_t size = state_.places.size();
  const std::vector<std::size_t> rest = without(state_.places, random_.below(state_.places.size()));
  consider(rest);
  if (std::log(random_.uniform()) <
      std::log(static_cast<double>(size)) - model_.rows.log_odds(size - 1) - factors_.log_total())
    state_.places = rest;
}

void PlaceChain::relocate(std::size_t place, std::span<PlaceTally> tallies) {
  const std::vector<std::size_t> rest = without(state_.places, place);
  consider(rest);
  const std::size_t feature = factors_.pick(random_);
  columns_.fetch(feature, rest, alone_);
  state_.places[place] = feature;
  for (std::size_t row = 0; row < tallies.size(); ++row)
    factors_.add_to(tallies[row], model_.rows.share(row, state_.places.size()));
}

void PlaceChain::update_basis() {
  memory_.make_room();
  const WeightFit& fit = memory_.fit(state_.places);
  Eigen::MatrixXd precision = fit.columns.transpose() * fit.columns;
  precision.diagonal() += fit.precision;
  basis_.root = precision.llt().matrixU();
  whitened_ = fit.columns;
  basis_.root.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(whitened_);
  basis_.score = whitened_.transpose() * z();
}

double PlaceChain::field_mean(std::size_t sample) const {
  return whitened_.row(static_cast<Eigen::Index>(sample)).dot(basis_.score);
}

double PlaceChain::field_variance(std::size_t sample) const {
  return whitened_.row(static_cast<Eigen::Index>(sample)).squaredNorm();
}

double PlaceChain::log_likelihood() const {
  double sum = 0;
  for (std::size_t i = 0; i < model_.samples(); ++i) {
    const double score = model_.labels[i] * field_mean(i) / std::sqrt(1 + field_variance(i));
    sum += std::log(model_.flip + (1 - 2 * model_.flip) * normal_cdf(score));
  }
  return sum;
}

}  // namespace cavity
