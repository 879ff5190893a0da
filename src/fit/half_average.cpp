#include "fit/half_average.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/log_odds.hpp"
#include "model/own_slopes.hpp"

namespace cavity {

namespace {

constexpr int quadrature_points = 31, most_updates = 300;
constexpr double in_a_half = 0.5;
constexpr double tolerance = 1e-6, odds_tolerance = 1e-9;
constexpr double first_share = 0.7, least_share = 0.05;  // of an update that is taken
constexpr double least_precision = -0.5;                 // of A: B stays positive

/// E f(z), z standard normal, as a sum: eigenvalues of the Jacobi matrix of Hermite's polynomials (Golub & Welsch).
struct Quadrature {
  Eigen::VectorXd point, weight;
  Quadrature() {
    Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(quadrature_points), beside(quadrature_points - 1);
    for (int k = 1; k < quadrature_points; ++k) beside[k - 1] = std::sqrt(k);
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, beside);
    point = solver.eigenvalues();
    weight = solver.eigenvectors().row(0).cwiseAbs2().transpose();
  }
};

using Values = std::vector<double>;

class Averaging {
 public:
  Averaging(const Problem& problem, const Posterior& whole, ThreadPool& pool)
      : problem_(problem),
        pool_(pool),
        n_(problem.design.features()),
        m_(problem.design.samples()),
        mean_(whole.mean),
        variance_(whole.variance),
        spread_(n_, 0),
        slope_(m_, 0),
        covariate_mean_(whole.covariate_mean),
        covariate_variance_(whole.covariate_variance),
        covariate_spread_(whole.covariate_mean.size(), 0) {
    out_.log_odds = whole.prior.log_odds;
    for (auto* v : {&field_, &field_variance_, &field_spread_, &curvature_, &square_}) v->resize(m_);
    for (auto* v : {&out_.linear, &out_.deviation, &out_.precision}) v->resize(n_);
    evidence_.assign(quadrature_points, Values(n_));
  }

  HalfAverage run() {
    double share = first_share, last = std::numeric_limits<double>::infinity();
    while (!out_.settled && out_.updates < most_updates) {
      ++out_.updates;
      update_samples();
      update_covariates(share);
      update_messages();
      solve_odds();
      out_.residual = update_features(share);
      if (!std::isfinite(out_.residual)) break;
      out_.settled = out_.residual < tolerance;
      if (out_.residual > last) share = std::max(0.8 * share, least_share);
      last = out_.residual;
    }
    return std::move(out_);
  }

 private:
  double features() const { return static_cast<double>(problem_.design.total_features()); }
  double covariate(std::size_t mu, std::size_t j) const {
    return problem_.covariates.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
  }

  // D, V, W, then abar, bbar and a2.
  void update_samples() {
    problem_.design.times_both({mean_, variance_}, {field_, field_variance_}, pool_);
    problem_.design.squared_times(spread_, field_spread_, pool_);
    for (std::size_t mu = 0; mu < m_; ++mu) {
      double field = field_[mu] / std::sqrt(features());
      field_variance_[mu] = std::max(field_variance_[mu] / features(), 1e-12 * problem_.density);
      field_spread_[mu] /= features();
      for (std::size_t j = 0; j < covariate_mean_.size(); ++j) {
        const double z = covariate(mu, j);
        field += z * covariate_mean_[j];
        field_variance_[mu] += z * z * covariate_variance_[j];
        field_spread_[mu] += z * z * covariate_spread_[j];
      }
      field_[mu] = problem_.labels[mu] * field - field_variance_[mu] * slope_[mu];
    }
    average_slopes();
  }

  void average_slopes() {
    Values at(m_), a(m_), b(m_);
    for (auto* v : {&slope_, &curvature_, &square_}) std::ranges::fill(*v, 0);
    for (int q = 0; q < quadrature_points; ++q) {
      const double z = quadrature_.point[q], weight = in_a_half * quadrature_.weight[q];
      for (std::size_t mu = 0; mu < m_; ++mu) at[mu] = field_[mu] + std::sqrt(field_spread_[mu]) * z;
      own_slopes(problem_.activation, at, field_variance_, a, b);
      for (std::size_t mu = 0; mu < m_; ++mu) {
        slope_[mu] += weight * a[mu];
        curvature_[mu] += weight * b[mu];
        square_[mu] += weight * a[mu] * a[mu];
      }
    }
  }

  // A covariate is one more feature, with a Gaussian prior: m(h) = h/(p + A).
  void update_covariates(double share) {
    for (std::size_t j = 0; j < covariate_mean_.size(); ++j) {
      const double prior = problem_.covariates.precision[j] / problem_.density;
      double precision = 0, gradient = -prior * covariate_mean_[j], spread = 0;
      for (std::size_t mu = 0; mu < m_; ++mu) {
        const double z = covariate(mu, j);
        precision -= z * z * curvature_[mu];
        gradient += problem_.labels[mu] * z * slope_[mu];
        spread += z * z * (square_[mu] - slope_[mu] * slope_[mu]);
      }
      const double whole = prior + std::max(precision, least_precision * prior);
      covariate_mean_[j] += share * gradient / whole;
      covariate_variance_[j] = 1 / whole;
      covariate_spread_[j] = std::max(spread, 0.0) / (whole * whole);
    }
  }

  // h, A and S.
  void update_messages() {
    Values reaction(m_), curvature(m_), spread(m_), squares(n_);
    for (std::size_t mu = 0; mu < m_; ++mu) {
      reaction[mu] = problem_.labels[mu] * slope_[mu] / std::sqrt(features());
      curvature[mu] = -curvature_[mu] / features();
      spread[mu] = (square_[mu] - slope_[mu] * slope_[mu]) / features();
    }
    problem_.design.transpose_times_both({reaction, curvature}, {out_.linear, out_.precision}, pool_);
    problem_.design.squared_transpose_times(spread, squares, pool_);
    for (std::size_t l = 0; l < n_; ++l) {
      out_.precision[l] = std::max(out_.precision[l], least_precision);
      out_.linear[l] += mean_[l] * out_.precision[l];
      out_.deviation[l] = std::sqrt(std::max(squares[l], 0.0));
    }
    pool_.run(quadrature_points,
              [&](std::size_t q) { kernels::log_odds_evidence(linear_at(q), out_.precision, evidence_[q]); });
  }

  Values linear_at(std::size_t q) const {
    Values out(n_);
    const double z = quadrature_.point[static_cast<Eigen::Index>(q)];
    for (std::size_t l = 0; l < n_; ++l) out[l] = out_.linear[l] + z * out_.deviation[l];
    return out;
  }

  void solve_odds() {
    if (problem_.density >= 1) return;
    const LogOddsTarget target{problem_.density, features(), odds_tolerance};
    out_.log_odds = solve_log_odds(target, out_.log_odds, [&](double log_odds) {
      std::vector<kernels::InclusionSums> sums(quadrature_points);
      pool_.run(quadrature_points, [&](std::size_t q) { sums[q] = kernels::inclusion_sums(evidence_[q], log_odds); });
      kernels::InclusionSums all;
      for (std::size_t q = 0; q < quadrature_points; ++q) {
        all.inclusion += quadrature_.weight[static_cast<Eigen::Index>(q)] * sums[q].inclusion;
        all.spread += quadrature_.weight[static_cast<Eigen::Index>(q)] * sums[q].spread;
      }
      return all;
    });
  }

  // mbar, v and w by a share. Returns the relative length of the change of mbar, for the whole of it.
  double update_features(double share) {
    std::vector<Values> mean(quadrature_points, Values(n_)), slope = mean;
    pool_.run(quadrature_points, [&](std::size_t q) {
      kernels::own_moments({linear_at(q), out_.precision, evidence_[q]}, out_.log_odds, {{}, mean[q], slope[q]});
    });
    double change = 0, length = 0;
    for (std::size_t l = 0; l < n_; ++l) {
      double first = 0, second = 0, v = 0;
      for (std::size_t q = 0; q < quadrature_points; ++q) {
        const double weight = quadrature_.weight[static_cast<Eigen::Index>(q)];
        first += weight * mean[q][l];
        second += weight * mean[q][l] * mean[q][l];
        v += weight * slope[q][l];
      }
      change += (first - mean_[l]) * (first - mean_[l]);
      length += first * first;
      mean_[l] += share * (first - mean_[l]);
      variance_[l] += share * (v - variance_[l]);
      spread_[l] += share * (std::max(second - first * first, 0.0) - spread_[l]);
    }
    return std::sqrt(change / std::max(length, std::numeric_limits<double>::min()));
  }

  const Problem& problem_;
  ThreadPool& pool_;
  const Quadrature quadrature_;
  std::size_t n_, m_;
  Values mean_, variance_, spread_;               // a feature: mbar, v, w
  Values slope_, curvature_, square_;             // a sample: abar, bbar, a2
  Values field_, field_variance_, field_spread_;  // a sample: D, V, W
  Values covariate_mean_, covariate_variance_, covariate_spread_;
  std::vector<Values> evidence_;  // a quadrature point, a feature
  HalfAverage out_;
};

}  // namespace

HalfAverage average_halves(const Problem& problem, const Posterior& whole, ThreadPool& pool) {
  check_problem(problem);
  return Averaging(problem, whole, pool).run();
}

double inclusion_at(const HalfAverage& average, std::size_t l, double deviations) {
  const double h = average.linear[l] + deviations * average.deviation[l], b = 1 + average.precision[l];
  return 1 / (1 + std::exp(-(average.log_odds - 0.5 * std::log(b) + h * h / (2 * b))));
}

}  // namespace cavity
