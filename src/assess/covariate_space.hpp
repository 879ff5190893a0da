// What covariates, the intercept among them, leave to be told by features.
#pragma once

#include <Eigen/QR>

#include "base/matrix.hpp"

namespace cavity {

/// Of a square, the share beyond the covariates at or below which there is nothing but rounding.
inline constexpr double nothing_left = 1e-9;

/// Orthonormal columns, as many as the covariates' rank.
inline Eigen::MatrixXd covariate_basis(const Matrix& covariates) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(covariates);
  return qr.householderQ() * Eigen::MatrixXd::Identity(covariates.rows(), qr.rank());
}

}  // namespace cavity
