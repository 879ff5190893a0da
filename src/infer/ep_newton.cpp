// With S the covariance of the sites' coordinates u_i . beta and m their means, a change of the sites gives
//   dm_j = sum_i S_ji (dlinear_i - m_i dprecision_i),   dS_jj = - sum_i S_ji^2 dprecision_i
// and the cavities answer  A = 1/S - tau,  h = m/S - nu  (features),  V = 1/(1/S - omega), D = V (m/S - eta) (samples).
// (I - J) dx = f is solved by GMRES, whose products with J are two with S: O((active + samples)^2) each, and a few tens
// of them do where a factorisation would take O((active + samples)^3).
#include "infer/ep_newton.hpp"

#include <Eigen/QR>
#include <cmath>

namespace cavity {

namespace {

using Eigen::Index;
using Vector = Eigen::VectorXd;

constexpr Index most_products = 120;
constexpr double accuracy = 1e-5;  // of the residual; the direction is one of many

// I - J in scaled coordinates: what a change does to a mean or a log variance.
class NewtonOperator {
 public:
  explicit NewtonOperator(const NewtonSystem& system)
      : system_(system), squares_(system.covariance.values.cwiseAbs2()), scale_(2 * squares_.rows()) {
    for (Index i = 0; i < sites(); ++i) {
      const double v = variance(i);
      scale_[2 * i] = feature(i) ? std::sqrt(v) : 1 / std::sqrt(cavity_variance(i));
      scale_[2 * i + 1] = feature(i) ? v : 1;
    }
  }

  const Vector& scale() const { return scale_; }

  Vector apply(const Vector& scaled) const {
    const Vector dx = scaled.cwiseQuotient(scale_);
    Vector d_precision(sites()), d_linear(sites());
    const double odds = odds_response(dx);
    for (Index i = 0; i < sites(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const SiteResponse& r = system_.response[k];
      d_precision[i] = r.precision_by_first * dx[2 * i] + r.precision_by_second * dx[2 * i + 1];
      d_linear[i] = r.linear_by_first * dx[2 * i] + r.linear_by_second * dx[2 * i + 1];
      if (!feature(i)) continue;
      d_precision[i] += odds * system_.precision_by_odds[k];
      d_linear[i] += odds * system_.linear_by_odds[k];
    }
    const Eigen::Map<const Vector> m(system_.mean.data(), sites());
    const Vector d_mean = system_.covariance.values * (d_linear - m.cwiseProduct(d_precision));
    const Vector d_variance = -(squares_ * d_precision);
    Vector out(dx.size());
    for (Index i = 0; i < sites(); ++i) {
      const double v = variance(i);
      const double cavity_precision = -d_variance[i] / (v * v) - d_precision[i];
      const double cavity_linear = d_mean[i] / v - m[i] * d_variance[i] / (v * v) - d_linear[i];
      if (feature(i)) {
        out[2 * i] = dx[2 * i] - cavity_linear;
        out[2 * i + 1] = dx[2 * i + 1] - cavity_precision;
      } else {
        const double cv = cavity_variance(i);
        const double mean = cv * (m[i] / v - system_.linear[static_cast<std::size_t>(i)]);
        out[2 * i] = dx[2 * i] - cv * (cavity_linear - mean * cavity_precision);
        out[2 * i + 1] = dx[2 * i + 1] + cv * cavity_precision;
      }
    }
    return out.cwiseProduct(scale_);
  }

 private:
  Index sites() const { return squares_.rows(); }
  bool feature(Index i) const { return static_cast<std::size_t>(i) < system_.active; }
  double variance(Index i) const { return system_.covariance.values(i, i); }
  double cavity_variance(Index i) const {
    return 1 / (1 / variance(i) - system_.precision[static_cast<std::size_t>(i)]);
  }

  // d lambda, from mean inclusion = density; 0 where the odds are fixed.
  double odds_response(const Vector& dx) const {
    if (!(system_.inclusion_by_odds > 0)) return 0;
    double sum = 0;
    for (std::size_t i = 0; i < system_.active; ++i)
      sum += system_.inclusion_by_first[i] * dx[static_cast<Index>(2 * i)] +
             system_.inclusion_by_second[i] * dx[static_cast<Index>(2 * i + 1)];
    return -sum / system_.inclusion_by_odds;
  }

  const NewtonSystem& system_;
  Matrix squares_;
  Vector scale_;
};

// GMRES from zero, without restarts: the basis by modified Gram-Schmidt, the small least squares afresh when checked.
Vector gmres(const NewtonOperator& matrix, const Vector& right) {
  const double length = right.norm();
  if (!(length > 0) || !std::isfinite(length)) return Vector::Zero(right.size());
  const Index most = std::min<Index>(most_products, right.size());
  Eigen::MatrixXd basis(right.size(), most + 1), hessenberg = Eigen::MatrixXd::Zero(most + 1, most);
  basis.col(0) = right / length;
  Vector y;
  for (Index k = 0; k < most; ++k) {
    Vector next = matrix.apply(basis.col(k));
    for (Index j = 0; j <= k; ++j) {
      hessenberg(j, k) = basis.col(j).dot(next);
      next -= hessenberg(j, k) * basis.col(j);
    }
    hessenberg(k + 1, k) = next.norm();
    const bool exhausted = !(hessenberg(k + 1, k) > 1e-14 * length);
    if (exhausted || k + 1 == most || k % 8 == 7) {
      const auto h = hessenberg.topLeftCorner(k + 2, k + 1);
      const Vector target = length * Vector::Unit(k + 2, 0);
      y = h.householderQr().solve(target);
      if (exhausted || (h * y - target).norm() < accuracy * length) break;
    }
    basis.col(k + 1) = next / hessenberg(k + 1, k);
  }
  return basis.leftCols(y.size()) * y;
}

}  // namespace

std::vector<double> newton_step(const NewtonSystem& system, std::span<const double> f) {
  const NewtonOperator matrix(system);
  const Vector right = Eigen::Map<const Vector>(f.data(), matrix.scale().size()).cwiseProduct(matrix.scale());
  const Vector dx = gmres(matrix, right).cwiseQuotient(matrix.scale());
  if (!dx.allFinite()) return {};
  return {dx.data(), dx.data() + dx.size()};
}

}  // namespace cavity
