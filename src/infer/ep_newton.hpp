// Newton's step for the EP fixed point, on the sites that matter: features with the largest posterior variance, all
// samples. Plain iteration oscillates or creeps where correlated features compete for inclusion; Newton does not.
#pragma once

#include "infer/joint_gaussian.hpp"

namespace cavity {

/// How a site's two parameters (precision, linear) answer a change of its two cavity coordinates: rows of a 2 x 2
/// block.
struct SiteResponse {
  double precision_by_first, precision_by_second;
  double linear_by_first, linear_by_second;
};

struct NewtonSystem {
  SiteCovariance covariance;              // active features, then samples
  std::vector<SiteResponse> response;     // in the same order; first, second = (h, A) or (D, ln V)
  std::vector<double> precision, linear;  // sites (tau, nu) or (omega, eta)
  std::vector<double> mean;               // marginal means of the sites' coordinates
  std::size_t active = 0;                 // features among them
  // The odds lambda answer all features at once (mean inclusion = density): site parameters and inclusion by lambda.
  std::vector<double> precision_by_odds, linear_by_odds;        // an active feature
  std::vector<double> inclusion_by_first, inclusion_by_second;  // an active feature
  double inclusion_by_odds = 0;                                 // sum over ALL features of P (1 - P)
};

/// Solves (I - J) dx = f for the active coordinates, J the derivative of the update. `f` and the result hold first and
/// second coordinates of every site, site by site. Empty when the system is singular.
std::vector<double> newton_step(const NewtonSystem& system, std::span<const double> f);

}  // namespace cavity
