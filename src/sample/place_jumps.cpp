#include "sample/place_jumps.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

#include "model/normal_kernels.hpp"

namespace cavity {

namespace {

constexpr int most_updates = 8, particles = 12;
constexpr double least_information = 1e-3, least_margin = -10;
constexpr double near_enough = 0.01;  // squared, in standard deviations
constexpr int degrees = 6;            // of the Student t, an even number

/// ln P(labels | fields): a sample's slope and curvature. Flips make it rise away from 0, where the curvature counts as
/// next to nothing.
struct LikelihoodSlopes {
  Eigen::VectorXd slope, information;
  std::vector<double> margin, first, second;

  explicit LikelihoodSlopes(std::size_t samples) : margin(samples), first(samples), second(samples) {
    slope.resize(static_cast<Eigen::Index>(samples));
    information = slope;
  }
  void at(const PlaceModel& model, const Eigen::VectorXd& field) {
    for (std::size_t i = 0; i < margin.size(); ++i)
      margin[i] = std::max(model.labels[i] * field[static_cast<Eigen::Index>(i)], least_margin);
    kernels::normal_slopes(model.flip, margin, 1, first, second);
    for (std::size_t i = 0; i < margin.size(); ++i) {
      slope[static_cast<Eigen::Index>(i)] = model.labels[i] * first[i];
      information[static_cast<Eigen::Index>(i)] = std::max(-second[i], least_information);
    }
  }
};

double log_probability(const PlaceModel& model, const Eigen::VectorXd& field, std::vector<double>& scratch) {
  scratch.resize(static_cast<std::size_t>(field.size()));
  std::vector<double>& margin = scratch;
  for (std::size_t i = 0; i < margin.size(); ++i) margin[i] = model.labels[i] * field[static_cast<Eigen::Index>(i)];
  kernels::log_normal_cdf(model.flip, margin, margin);
  double sum = 0;
  for (const double value : margin) sum += value;
  return sum;
}

}  // namespace

WeightFit fit_weights(const PlaceModel& model, Eigen::MatrixXd columns) {
  WeightFit out;
  out.columns = std::move(columns);
  const Eigen::MatrixXd& u = out.columns;
  out.precision = Eigen::VectorXd::Constant(u.cols(), 1 / model.slab_variance);
  for (std::size_t j = 0; j < model.precision.size(); ++j)
    out.precision[static_cast<Eigen::Index>(j)] = model.precision[j];
  out.mode = Eigen::VectorXd::Zero(u.cols());
  Eigen::VectorXd field = Eigen::VectorXd::Zero(u.rows());
  LikelihoodSlopes likelihood(model.samples());
  for (int update = 0; update < most_updates; ++update) {
    likelihood.at(model, field);
    Eigen::MatrixXd precision = u.transpose() * likelihood.information.asDiagonal() * u;
    precision.diagonal() += out.precision;
    const Eigen::LLT<Eigen::MatrixXd> factor(precision);
    const Eigen::VectorXd gradient = u.transpose() * likelihood.slope - out.precision.cwiseProduct(out.mode);
    const Eigen::VectorXd step = factor.solve(gradient);
    out.root = factor.matrixU();
    if (step.dot(gradient) < near_enough) break;
    out.mode += step;
    field = u * out.mode;
  }
  out.latent = field + likelihood.slope;
  out.information = likelihood.information.mean();
  return out;
}

namespace {

/// ln of (prior over proposal) where neither has fallen off: N(0, 1/D) and the Student t around the mode.
double log_scale(const WeightFit& fit) {
  const auto size = static_cast<double>(fit.mode.size());
  // std::lgamma writes a global variable.
  return 0.5 * fit.precision.array().log().sum() - fit.root.diagonal().array().log().sum() +
         boost::math::lgamma(0.5 * degrees) - boost::math::lgamma(0.5 * (degrees + size)) +
         0.5 * size * std::log(0.5 * degrees);
}

/// A Student t of unit scale.
Eigen::VectorXd draw_student(Eigen::Index size, Random& random) {
  double chi_square = 0;
  for (int i = 0; i < degrees / 2; ++i) chi_square += 2 * random.exponential();
  Eigen::VectorXd out(size);
  for (double& x : out) x = random.normal();
  return out * std::sqrt(degrees / chi_square);
}

std::size_t draw_index(const std::vector<double>& weight, double total, Random& random) {
  double left = random.uniform() * total;
  std::size_t chosen = 0;
  while (chosen + 1 < weight.size() && left >= weight[chosen]) left -= weight[chosen++];
  return chosen;
}

}  // namespace

WeightDraw draw_weights(const PlaceModel& model, const WeightFit& fit, const Eigen::VectorXd* given, Random& random) {
  const Eigen::Index size = fit.mode.size();
  std::vector<Eigen::VectorXd> particle;
  std::vector<double> weight, scratch;
  for (int k = 0; k < particles; ++k) {
    const bool is_given = given && k == 0;
    const Eigen::VectorXd whitened =
        is_given ? Eigen::VectorXd(fit.root * (*given - fit.mode)) : draw_student(size, random);
    particle.push_back(is_given ? *given : fit.mode + fit.root.triangularView<Eigen::Upper>().solve(whitened));
    const Eigen::VectorXd& b = particle.back();
    const double proposal = -0.5 * static_cast<double>(degrees + size) * std::log1p(whitened.squaredNorm() / degrees);
    const double prior = -0.5 * fit.precision.dot(b.cwiseAbs2());
    weight.push_back(log_probability(model, fit.columns * b, scratch) + prior - proposal);
  }
  const double largest = *std::max_element(weight.begin(), weight.end());
  double total = 0;
  for (double& w : weight) total += w = std::exp(w - largest);
  return {particle[draw_index(weight, total, random)], log_scale(fit) + largest + std::log(total / particles)};
}

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
