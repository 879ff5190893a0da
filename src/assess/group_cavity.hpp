// The fields of a group of samples with all of the group left out. From the joint Gaussian at EP's fixed point, S and f
// the group's part of the fields' covariance and mean, Omega and eta its sites, the others kept as they are:
//   covariance V = (S^-1 - Omega)^-1,   mean D = V (S^-1 f - eta).
// Neither needs S^-1, which copies of one sample do not have: with S = R R^T, B = I - R^T Omega R and r = f - S eta,
//   V = R B^-1 R^T,   D = r + V Omega r.    For one sample: V = S/(1 - S omega), D = (f - S eta)/(1 - S omega).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "base/matrix.hpp"

namespace cavity {

struct GroupFields {
  Matrix covariance;
  Eigen::VectorXd mean, site_precision, site_linear;  // f, omega, eta
};

struct GroupCavity {
  Eigen::VectorXd mean, variance;  // a member: of its field's marginal
};

/// O(size^3). Where B is not positive definite, which sites of other samples may bring about, its lowest eigenvalues
/// are raised to next to nothing: such a cavity knows nothing.
GroupCavity group_cavity(const GroupFields& fields);

}  // namespace cavity
