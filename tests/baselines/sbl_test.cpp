// Sparse Bayesian learning against its own equations in the features' space, written out plainly.
#include "baselines/sbl.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "design/dense_design.hpp"

namespace cavity {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t samples = 120, features = 300;
const std::vector<std::size_t> planted = {7, 100, 250};

struct Planted {
  FeatureMatrix values{samples, features};
  std::vector<std::int8_t> labels;
  Covariates covariates;

  explicit Planted(std::uint64_t seed, double shift = 0) {
    Random random(seed);
    for (std::size_t i = 0; i < samples; ++i) {
      double field = shift;
      for (std::size_t l = 0; l < features; ++l) {
        const double x = random.normal();
        values.row(i)[l] = static_cast<float>(x);
        if (std::count(planted.begin(), planted.end(), l) > 0) field += 3 * x;
      }
      labels.push_back(random.bernoulli(1 / (1 + std::exp(-field))) ? 1 : -1);
    }
    covariates.values = Matrix::Ones(samples, 1);
    covariates.precision = {1};
  }
};

std::set<std::size_t> relevant(const SblFit& fit) {
  std::set<std::size_t> out;
  for (std::size_t l = 0; l < fit.precision.size(); ++l)
    if (fit.precision[l] < pruned_precision) out.insert(l);
  return out;
}

TEST(Sbl, FindsThePlantedFeaturesAndRaisesTheEvidence) {
  const Planted p(1);
  const SblFit fit = fit_sbl(DenseDesign(view(p.values)), p.labels, p.covariates, {});
  EXPECT_EQ(fit.status, Status::converged);
  EXPECT_GT(fit.log_evidence, fit.first_log_evidence + 5);
  EXPECT_LT(fit.relevant, 40u);
  std::vector<std::size_t> order(features);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::abs(fit.mean[a]) > std::abs(fit.mean[b]); });
  EXPECT_EQ(std::set<std::size_t>(order.begin(), order.begin() + 3), std::set(planted.begin(), planted.end()));
  for (const std::size_t l : planted) EXPECT_GT(fit.determined[l], 0.5);
}

// Tipping's equations with the K x K matrices that the code avoids.
TEST(Sbl, StopsAtAFixedPointOfItsUpdates) {
  const Planted p(2, 1.0);
  SblOptions options;
  options.tolerance = 1e-6;
  options.max_iterations = 20000;
  const SblFit fit = fit_sbl(DenseDesign(view(p.values)), p.labels, p.covariates, options);
  ASSERT_EQ(fit.status, Status::converged);
  const auto kept = relevant(fit);
  const auto k = static_cast<Eigen::Index>(kept.size());
  MatrixXd phi(samples, k + 1);
  VectorXd precision(k + 1), weight(k + 1);
  Eigen::Index j = 0;
  for (const std::size_t l : kept) {
    for (std::size_t i = 0; i < samples; ++i)
      phi(static_cast<Eigen::Index>(i), j) = p.values.row(i)[l] / std::sqrt(static_cast<double>(features));
    precision(j) = fit.precision[l];
    weight(j++) = fit.mean[l];
  }
  phi.col(k).setOnes();
  precision(k) = fit.covariate_precision;
  weight(k) = fit.covariate_mean[0];
  const VectorXd field = phi * weight;
  VectorXd gradient = -precision.cwiseProduct(weight), curvature(samples);
  double log_likelihood = 0;
  for (Eigen::Index i = 0; i < field.size(); ++i) {
    const double probability = 1 / (1 + std::exp(-field(i)));
    const int y = p.labels[static_cast<std::size_t>(i)];
    gradient += phi.row(i).transpose() * ((y > 0 ? 1 : 0) - probability);
    curvature(i) = probability * (1 - probability);
    log_likelihood += std::log(y > 0 ? probability : 1 - probability);
  }
  EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 1e-4);
  MatrixXd hessian = phi.transpose() * curvature.asDiagonal() * phi;
  hessian.diagonal() += precision;
  const MatrixXd covariance = hessian.inverse();
  for (Eigen::Index i = 0; i <= k; ++i) {
    const double determined = 1 - precision(i) * covariance(i, i);
    EXPECT_NEAR(std::log(determined / (weight(i) * weight(i)) / precision(i)), 0, 1e-4) << i;
  }
  const double evidence = log_likelihood - 0.5 * weight.dot(precision.cwiseProduct(weight)) +
                          0.5 * precision.array().log().sum() - 0.5 * std::log(hessian.determinant());
  EXPECT_NEAR(fit.log_evidence, evidence, 1e-4);
  const VectorXd variance = (phi * covariance).cwiseProduct(phi).rowwise().sum();
  for (std::size_t i = 0; i < samples; ++i)
    EXPECT_NEAR(fit.field_variance[i], variance(static_cast<Eigen::Index>(i)), 1e-5);
}

TEST(Sbl, TheOrderOfTheFeaturesDoesNotMatter) {
  const Planted p(3);
  Planted reversed = p;
  for (std::size_t i = 0; i < samples; ++i) std::reverse(reversed.values.row(i), reversed.values.row(i) + features);
  const SblFit a = fit_sbl(DenseDesign(view(p.values)), p.labels, p.covariates, {});
  const SblFit b = fit_sbl(DenseDesign(view(reversed.values)), reversed.labels, reversed.covariates, {});
  std::set<std::size_t> turned;
  for (const std::size_t l : relevant(b)) turned.insert(features - 1 - l);
  EXPECT_EQ(relevant(a), turned);
  for (std::size_t l = 0; l < features; ++l) EXPECT_NEAR(a.mean[l], b.mean[features - 1 - l], 1e-4);
}

TEST(Sbl, SeparableAndPureNoiseDataEndInNumbers) {
  Planted p(4);
  for (std::size_t i = 0; i < samples; ++i) p.values.row(i)[0] = static_cast<float>(p.labels[i]);
  const SblFit separable = fit_sbl(DenseDesign(view(p.values)), p.labels, p.covariates, {});
  EXPECT_TRUE(std::isfinite(separable.log_evidence));
  EXPECT_GT(separable.mean[0], 0);
  Random random(5);
  for (auto& y : p.labels) y = random.bernoulli(0.5) ? 1 : -1;
  for (std::size_t i = 0; i < samples; ++i) p.values.row(i)[0] = 0;
  const SblFit noise = fit_sbl(DenseDesign(view(p.values)), p.labels, {}, {});
  EXPECT_TRUE(std::isfinite(noise.log_evidence));
  EXPECT_EQ(noise.precision[0], pruned_precision);
}

TEST(Sbl, AnUpdateLimitIsSaidInTheStatus) {
  const Planted p(6);
  SblOptions options;
  options.max_iterations = 3;
  EXPECT_EQ(fit_sbl(DenseDesign(view(p.values)), p.labels, p.covariates, options).status, Status::stalled);
}

}  // namespace
}  // namespace cavity
