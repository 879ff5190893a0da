// The joint Gaussian of EP: precision Lambda = diag(tau) + Y^T diag(omega) Y, linear term nu + Y^T eta, with
// Y = diag(y) [X/sqrt(N), Z] (features, then covariates with a fixed prior precision). tau and omega may be negative;
// only Lambda must be positive definite. Everything is samples x samples while features outnumber samples,
// O(samples^2 features) by Design::gram and Design::quadratic; otherwise Lambda itself is factored.
#pragma once

#include <memory>

#include "infer/problem.hpp"

namespace cavity {

struct GaussianSites {
  std::vector<double> tau, nu;     // a feature
  std::vector<double> omega, eta;  // a sample
};

struct GaussianMarginals {
  std::vector<double> mean, variance;                   // a feature
  std::vector<double> cavity_linear, cavity_precision;  // a feature: h_l, A_l, in forms without cancellation
  std::vector<double> field_mean, field_variance;       // a sample
  std::vector<double> covariate_mean, covariate_variance;
  double log_determinant = 0;  // ln |Lambda|
};

/// Posterior covariance of some features' weights and all fields (in this order), on request.
struct SiteCovariance {
  std::vector<std::size_t> features;  // of this process, ascending; with every one whose tau is below split_precision
  std::size_t first = 0, count = 0;   // where they stand among those of all processes, and how many there are
  Matrix values;                      // (count + samples) squared
};
inline constexpr double split_precision = 0.3;

/// One way to solve it, again and again for one problem: what the updates share is kept.
class GaussianForm {
 public:
  virtual ~GaussianForm() = default;
  /// `out` has its sizes. False, with `out` in an unspecified state, when Lambda is not positive definite.
  virtual bool solve(const GaussianSites& sites, GaussianMarginals& out) = 0;
  /// Of the sites last solved.
  virtual void site_covariance(SiteCovariance& out) const = 0;
  virtual Matrix field_covariance(std::span<const std::size_t> samples) const = 0;
};

/// What a design offers beside its products where it has a form of its own.
class GaussianOffer {
 public:
  virtual ~GaussianOffer() = default;
  /// None: the usual ones are better for this problem, which must outlive the form.
  virtual std::unique_ptr<GaussianForm> gaussian(const Problem& problem, ThreadPool& pool) const = 0;
};

class JointGaussian {
 public:
  /// Rough: where the marginals need six digits.
  JointGaussian(const Problem& problem, ThreadPool& pool, Precision precision = Precision::full);

  /// False, with `out` in an unspecified state, when Lambda is not positive definite or a variance is not positive.
  bool solve(const GaussianSites& sites, GaussianMarginals& out, SiteCovariance* covariance = nullptr);

  /// Of some fields, at the sites last solved: those of samples that are left out together.
  Matrix field_covariance(std::span<const std::size_t> samples) const { return form_->field_covariance(samples); }

 private:
  const Problem& problem_;
  std::unique_ptr<GaussianForm> form_;
};

/// Prior precision of covariate j in the problem's units.
double covariate_precision(const Problem& problem, std::size_t j);

}  // namespace cavity
