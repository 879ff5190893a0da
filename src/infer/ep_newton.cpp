// With S the covariance of the sites' coordinates u_i . beta and m their means, a change of the sites gives
//   dm_j = sum_i S_ji (dlinear_i - m_i dprecision_i),   dS_jj = - sum_i S_ji^2 dprecision_i
// and the cavities answer  A = 1/S - tau,  h = m/S - nu  (features),  V = 1/(1/S - omega), D = V (m/S - eta) (samples).
// Cost: O((active + samples)^3).
#include "infer/ep_newton.hpp"

#include <Eigen/LU>
#include <cmath>

namespace cavity {

namespace {

using Eigen::Index;

// Answer of the marginals (means, variances) to the cavity coordinates, sites x coordinates: each coordinate moves its
// own site, and through the odds all active ones (a rank-one term).
struct MarginalJacobian {
  Matrix mean, variance;
};

MarginalJacobian marginal_jacobian(const NewtonSystem& system, const Eigen::RowVectorXd& odds) {
  const Matrix& s = system.covariance.values;
  const Index sites = s.rows(), active = static_cast<Index>(system.active);
  const Matrix s2 = s.cwiseAbs2();
  MarginalJacobian j{Matrix(sites, 2 * sites), Matrix(sites, 2 * sites)};
  for (Index i = 0; i < sites; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const SiteResponse& r = system.response[k];
    const double m = system.mean[k];
    j.mean.col(2 * i) = (r.linear_by_first - m * r.precision_by_first) * s.col(i);
    j.mean.col(2 * i + 1) = (r.linear_by_second - m * r.precision_by_second) * s.col(i);
    j.variance.col(2 * i) = -r.precision_by_first * s2.col(i);
    j.variance.col(2 * i + 1) = -r.precision_by_second * s2.col(i);
  }
  if (odds.size() == 0) return j;
  const Eigen::Map<const Eigen::VectorXd> precision(system.precision_by_odds.data(), active),
      linear(system.linear_by_odds.data(), active), m(system.mean.data(), active);
  j.mean.noalias() += (s.leftCols(active) * (linear - m.cwiseProduct(precision))) * odds;
  j.variance.noalias() -= (s2.leftCols(active) * precision) * odds;
  return j;
}

// d lambda by the coordinates, from mean inclusion = density; empty when the odds are fixed.
Eigen::RowVectorXd odds_response(const NewtonSystem& system) {
  if (!(system.inclusion_by_odds > 0)) return {};
  Eigen::RowVectorXd odds = Eigen::RowVectorXd::Zero(2 * static_cast<Index>(system.response.size()));
  for (std::size_t i = 0; i < system.active; ++i) {
    odds[static_cast<Index>(2 * i)] = -system.inclusion_by_first[i] / system.inclusion_by_odds;
    odds[static_cast<Index>(2 * i + 1)] = -system.inclusion_by_second[i] / system.inclusion_by_odds;
  }
  return odds;
}

}  // namespace

std::vector<double> newton_step(const NewtonSystem& system, std::span<const double> f) {
  const Matrix& s = system.covariance.values;
  const Index sites = s.rows(), active = static_cast<Index>(system.active);
  const Eigen::RowVectorXd odds = odds_response(system);
  const MarginalJacobian marginal = marginal_jacobian(system, odds);
  Matrix matrix(2 * sites, 2 * sites);  // I - J
  Eigen::RowVectorXd d_precision(2 * sites), d_linear(2 * sites);
  for (Index i = 0; i < sites; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const SiteResponse& r = system.response[k];
    const double v = s(i, i), m = system.mean[k];
    d_precision = -marginal.variance.row(i) / (v * v);
    d_linear = marginal.mean.row(i) / v - (m / (v * v)) * marginal.variance.row(i);
    d_precision[2 * i] -= r.precision_by_first;
    d_precision[2 * i + 1] -= r.precision_by_second;
    d_linear[2 * i] -= r.linear_by_first;
    d_linear[2 * i + 1] -= r.linear_by_second;
    if (i < active) {
      if (odds.size() > 0) {
        d_precision -= system.precision_by_odds[k] * odds;
        d_linear -= system.linear_by_odds[k] * odds;
      }
      matrix.row(2 * i) = -d_linear;
      matrix.row(2 * i + 1) = -d_precision;
    } else {
      const double cavity_variance = 1 / (1 / v - system.precision[k]);
      const double cavity_mean = cavity_variance * (m / v - system.linear[k]);
      matrix.row(2 * i) = -cavity_variance * (d_linear - cavity_mean * d_precision);
      matrix.row(2 * i + 1) = cavity_variance * d_precision;
    }
  }
  matrix.diagonal().array() += 1;
  const Eigen::VectorXd dx = matrix.partialPivLu().solve(Eigen::Map<const Eigen::VectorXd>(f.data(), 2 * sites));
  if (!dx.allFinite()) return {};
  return {dx.data(), dx.data() + dx.size()};
}

}  // namespace cavity
