// The weights of one set of places, z integrated out: a few dimensions, near enough to a Gaussian that a handful of
// draws from a Student t around the mode average the likelihood well. The average is unbiased, which is what makes the
// chain's jumps exact (a particle move: Andrieu, Doucet & Holenstein 2010), however rough the fit.
#pragma once

#include <Eigen/Core>

#include "base/random.hpp"
#include "infer/place_model.hpp"

namespace cavity {

/// The mode of ln P(labels | b) - b.D b/2, by Newton steps from 0. A function of the set alone.
struct WeightFit {
  Eigen::MatrixXd columns;    // U: samples x (covariates + places)
  Eigen::VectorXd precision;  // D
  Eigen::VectorXd mode;
  Eigen::MatrixXd root;    // R, upper: R^T R = D + U^T diag(information) U
  Eigen::VectorXd latent;  // E[z | label] at the mode, a sample
  double information = 1;  // a sample's, on average; 1 where z is known
};
WeightFit fit_weights(const PlaceModel& model, Eigen::MatrixXd columns);

struct WeightDraw {
  Eigen::VectorXd weights;  // from the posterior, as near as `particles` come
  double log_likelihood;    // of the set: ln of the average over particles
};

/// With `given`, weights of the posterior, they are one of the particles.
WeightDraw draw_weights(const PlaceModel& model, const WeightFit& fit, const Eigen::VectorXd* given, Random& random);

}  // namespace cavity
