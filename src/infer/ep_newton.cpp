// With S the covariance of the sites' coordinates u_i . beta and m their means, a change of the sites gives
//   dm_j = sum_i S_ji (dlinear_i - m_i dprecision_i),   dS_jj = - sum_i S_ji^2 dprecision_i
// and the cavities answer  A = 1/S - tau,  h = m/S - nu  (features),  V = 1/(1/S - omega), D = V (m/S - eta)  (samples).
// Cost: O((active + samples)^3).
#include "infer/ep_newton.hpp"

#include <Eigen/LU>
#include <cmath>

namespace cavity {

namespace {

using Eigen::Index;

// d(site parameters)/d(cavity coordinates) for all sites: block diagonal, plus the rank-one answer of the odds.
struct SiteJacobian {
  Matrix precision, linear;  // sites x coordinates
};

SiteJacobian site_jacobian(const NewtonSystem& system) {
  const auto sites = static_cast<Index>(system.response.size());
  SiteJacobian j{Matrix::Zero(sites, 2 * sites), Matrix::Zero(sites, 2 * sites)};
  for (Index i = 0; i < sites; ++i) {
    const SiteResponse& r = system.response[static_cast<std::size_t>(i)];
    j.precision(i, 2 * i) = r.precision_by_first;
    j.precision(i, 2 * i + 1) = r.precision_by_second;
    j.linear(i, 2 * i) = r.linear_by_first;
    j.linear(i, 2 * i + 1) = r.linear_by_second;
  }
  if (!(system.inclusion_by_odds > 0)) return j;
  const auto active = static_cast<Index>(system.active);
  Eigen::RowVectorXd odds = Eigen::RowVectorXd::Zero(2 * sites);  // d lambda
  for (Index i = 0; i < active; ++i) {
    odds[2 * i] = -system.inclusion_by_first[static_cast<std::size_t>(i)] / system.inclusion_by_odds;
    odds[2 * i + 1] = -system.inclusion_by_second[static_cast<std::size_t>(i)] / system.inclusion_by_odds;
  }
  for (Index i = 0; i < active; ++i) {
    j.precision.row(i) += system.precision_by_odds[static_cast<std::size_t>(i)] * odds;
    j.linear.row(i) += system.linear_by_odds[static_cast<std::size_t>(i)] * odds;
  }
  return j;
}

}  // namespace

std::vector<double> newton_step(const NewtonSystem& system, std::span<const double> f) {
  const Matrix& s = system.covariance.values;
  const auto sites = static_cast<Index>(system.response.size()), active = static_cast<Index>(system.active);
  const SiteJacobian site = site_jacobian(system);
  const Eigen::Map<const Eigen::VectorXd> m(system.mean.data(), sites);
  const Matrix d_mean = s * (site.linear - m.asDiagonal() * site.precision);
  const Matrix d_variance = -(s.cwiseAbs2() * site.precision);
  Matrix system_matrix(2 * sites, 2 * sites);  // I - J
  for (Index i = 0; i < sites; ++i) {
    const double v = s(i, i);
    const Eigen::RowVectorXd d_precision = -d_variance.row(i) / (v * v) - site.precision.row(i);
    const Eigen::RowVectorXd d_linear = d_mean.row(i) / v - (m[i] / (v * v)) * d_variance.row(i) - site.linear.row(i);
    if (i < active) {
      system_matrix.row(2 * i) = -d_linear;
      system_matrix.row(2 * i + 1) = -d_precision;
    } else {
      const auto k = static_cast<std::size_t>(i);
      const double cavity_variance = 1 / (1 / v - system.precision[k]);
      const double cavity_mean = cavity_variance * (m[i] / v - system.linear[k]);
      system_matrix.row(2 * i) = -cavity_variance * (d_linear - cavity_mean * d_precision);
      system_matrix.row(2 * i + 1) = cavity_variance * d_precision;
    }
  }
  system_matrix.diagonal().array() += 1;
  const Eigen::VectorXd dx =
      system_matrix.partialPivLu().solve(Eigen::Map<const Eigen::VectorXd>(f.data(), 2 * sites));
  if (!dx.allFinite()) return {};
  return {dx.data(), dx.data() + dx.size()};
}

}  // namespace cavity
