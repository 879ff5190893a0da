#include "assess/group_cavity.hpp"

#include <Eigen/Eigenvalues>

namespace cavity {

namespace {

using Vector = Eigen::VectorXd;
using Eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

// Of a cavity's precision against its marginal, as of a single sample's (infer/ep_update.cpp).
constexpr double smallest_share = 1e-7;

}  // namespace

GroupCavity group_cavity(const GroupFields& fields) {
  const Eigenvalues of_fields(fields.covariance);
  const Eigen::MatrixXd root =
      of_fields.eigenvectors() * of_fields.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();  // R
  const Vector& omega = fields.site_precision;
  const auto size = omega.size();
  const Eigenvalues rest(Eigen::MatrixXd::Identity(size, size) - root.transpose() * omega.asDiagonal() * root);
  const Eigen::MatrixXd spread =
      root * rest.eigenvectors() * rest.eigenvalues().cwiseMax(smallest_share).cwiseSqrt().cwiseInverse().asDiagonal();
  const Vector r = fields.mean - fields.covariance * fields.site_linear;
  return {r + spread * (spread.transpose() * omega.cwiseProduct(r)), spread.rowwise().squaredNorm()};
}

}  // namespace cavity
