#include "sample/place_weights.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
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

WeightDraw draw_weights(const PlaceModel& model, const WeightFit& fit, const Eigen::VectorXd* given, Random& random) {
  const Eigen::Index size = fit.mode.size();
  const double constant = 0.5 * fit.precision.array().log().sum() - fit.root.diagonal().array().log().sum() +
                          std::lgamma(0.5 * degrees) - std::lgamma(0.5 * (degrees + static_cast<double>(size))) +
                          0.5 * static_cast<double>(size) * std::log(0.5 * degrees);
  std::vector<Eigen::VectorXd> weights;
  std::vector<double> log_weight, scratch;
  for (int k = 0; k < particles; ++k) {
    Eigen::VectorXd whitened(size);
    if (given && k == 0) {
      whitened = fit.root * (*given - fit.mode);
      weights.push_back(*given);
    } else {
      double chi_square = 0;
      for (int i = 0; i < degrees / 2; ++i) chi_square += 2 * random.exponential();
      for (double& x : whitened) x = random.normal();
      whitened *= std::sqrt(degrees / chi_square);
      weights.push_back(fit.mode + fit.root.triangularView<Eigen::Upper>().solve(whitened));
    }
    const Eigen::VectorXd& b = weights.back();
    const double proposal = -0.5 * (degrees + static_cast<double>(size)) * std::log1p(whitened.squaredNorm() / degrees);
    const double prior = -0.5 * fit.precision.dot(b.cwiseAbs2());
    log_weight.push_back(log_probability(model, fit.columns * b, scratch) + prior - proposal);
  }
  const double largest = *std::max_element(log_weight.begin(), log_weight.end());
  double total = 0;
  for (double& w : log_weight) total += w = std::exp(w - largest);
  double left = random.uniform() * total;
  std::size_t chosen = 0;
  while (chosen + 1 < weights.size() && left >= log_weight[chosen]) left -= log_weight[chosen++];
  return {weights[chosen], constant + largest + std::log(total / particles)};
}

}  // namespace cavity
