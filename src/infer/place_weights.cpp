#include "infer/place_weights.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

#include "model/normal_kernels.hpp"

namespace cavity {

namespace {

constexpr int most_updates = 8, particles = 8;
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

/// Columns from a Student t of unit scale.
Eigen::MatrixXd draw_students(Eigen::Index size, Random& random) {
  Eigen::MatrixXd out(size, particles);
  for (auto column : out.colwise()) {
    double chi_square = 0;
    for (int i = 0; i < degrees / 2; ++i) chi_square += 2 * random.exponential();
    for (double& x : column) x = random.normal();
    column *= std::sqrt(degrees / chi_square);
  }
  return out;
}

/// ln P(labels | b) for each column b.
Eigen::VectorXd log_probabilities(const PlaceModel& model, const WeightFit& fit, const Eigen::MatrixXd& weights) {
  Eigen::MatrixXd margin = fit.columns * weights;
  for (auto column : margin.colwise())
    for (Eigen::Index i = 0; i < column.size(); ++i) column[i] *= model.labels[static_cast<std::size_t>(i)];
  const std::span<double> all(margin.data(), static_cast<std::size_t>(margin.size()));
  kernels::log_normal_cdf(model.flip, all, all);
  return margin.colwise().sum();
}

Eigen::Index draw_index(const Eigen::VectorXd& weight, double total, Random& random) {
  double left = random.uniform() * total;
  Eigen::Index chosen = 0;
  while (chosen + 1 < weight.size() && left >= weight[chosen]) left -= weight[chosen++];
  return chosen;
}

}  // namespace

WeightDraw draw_weights(const PlaceModel& model, const WeightFit& fit, const Eigen::VectorXd* given, Random& random) {
  const Eigen::Index size = fit.mode.size();
  Eigen::MatrixXd whitened = draw_students(size, random);
  if (given) whitened.col(0) = fit.root.triangularView<Eigen::Upper>() * (*given - fit.mode);
  Eigen::MatrixXd particle = fit.root.triangularView<Eigen::Upper>().solve(whitened);
  particle.colwise() += fit.mode;
  Eigen::VectorXd weight = log_probabilities(model, fit, particle);
  for (Eigen::Index k = 0; k < particles; ++k) {
    weight[k] -= 0.5 * fit.precision.dot(particle.col(k).cwiseAbs2());
    weight[k] += 0.5 * static_cast<double>(degrees + size) * std::log1p(whitened.col(k).squaredNorm() / degrees);
  }
  const double largest = weight.maxCoeff();
  weight = (weight.array() - largest).exp();
  const double total = weight.sum();
  return {particle.col(draw_index(weight, total, random)), log_scale(fit) + largest + std::log(total / particles)};
}

}  // namespace cavity
