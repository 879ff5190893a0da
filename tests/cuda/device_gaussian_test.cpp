// The joint Gaussian on the device against the processor's, and a whole fit of EP.
#include "cuda/device_or_skip.hpp"
#include "infer/ep.hpp"
#include "infer/joint_gaussian_parts.hpp"
#include "support/small_problem.hpp"

namespace cavity {
namespace {

GaussianSites sites_of_both_signs(std::size_t samples, std::size_t features, bool split) {
  GaussianSites sites;
  Random random(5);
  for (std::size_t l = 0; l < features; ++l) {
    sites.tau.push_back(split && l % 9 == 4 ? 0.02 : 2 + 3 * random.uniform());
    sites.nu.push_back(random.normal());
  }
  for (std::size_t mu = 0; mu < samples; ++mu) {
    sites.omega.push_back(mu % 5 == 2 ? -0.02 : mu % 5 == 3 ? 0 : 1 + random.uniform());
    sites.eta.push_back(sites.omega.back() == 0 ? 0 : random.normal());
  }
  return sites;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double out = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

/// A small problem, its design on the device.
struct OnDevice {
  explicit OnDevice(const SmallOptions& options)
      : small(make_small(options)),
        design(shards.accelerator()->hold(std::make_unique<const DenseDesign>(view(small.values)))) {}
  Problem problem() const { return {*design, small.labels, small.covariates, small.activation, small.density}; }
  SmallProblem small;
  cuda::CudaShards shards;
  std::unique_ptr<const Design> design;
};

TEST(DeviceGaussian, EqualsTheProcessors) {
  NEEDS_DEVICE();
  ThreadPool pool(2);
  for (const bool split : {false, true})
    for (const std::size_t samples : {30, 300}) {
      SCOPED_TRACE(samples);
      const OnDevice both({.samples = samples, .features = 2 * samples, .correlation = 0.4, .intercept = true});
      const GaussianSites sites = sites_of_both_signs(samples, 2 * samples, split);
      const Problem here = both.small.problem(), there = both.problem();
      JointGaussian processor(here, pool), device(there, pool);
      GaussianMarginals expected, got;
      ASSERT_TRUE(processor.solve(sites, expected));
      ASSERT_TRUE(device.solve(sites, got));
      EXPECT_LT(largest_difference(got.mean, expected.mean), 1e-10);
      EXPECT_LT(largest_difference(got.variance, expected.variance), 1e-10);
      EXPECT_LT(largest_difference(got.cavity_linear, expected.cavity_linear), 1e-9);
      EXPECT_LT(largest_difference(got.cavity_precision, expected.cavity_precision), 1e-9);
      EXPECT_LT(largest_difference(got.field_mean, expected.field_mean), 1e-10);
      EXPECT_LT(largest_difference(got.field_variance, expected.field_variance), 1e-10);
      EXPECT_LT(largest_difference(got.covariate_mean, expected.covariate_mean), 1e-10);
      EXPECT_LT(largest_difference(got.covariate_variance, expected.covariate_variance), 1e-10);
      EXPECT_NEAR(got.log_determinant, expected.log_determinant, 1e-8);
      const std::vector<std::size_t> group = {2, 3, 4, 7, 11};
      EXPECT_LT((device.field_covariance(group) - processor.field_covariance(group)).cwiseAbs().maxCoeff(), 1e-10);
    }
}

TEST(DeviceGaussian, RefusesAnIndefinitePrecision) {
  NEEDS_DEVICE();
  ThreadPool pool(1);
  const OnDevice both({.samples = 30, .features = 60, .correlation = 0.4});
  GaussianSites sites = sites_of_both_signs(30, 60, true);
  sites.omega[7] = -1e4;
  const Problem there = both.problem();
  GaussianMarginals out;
  EXPECT_FALSE(JointGaussian(there, pool).solve(sites, out));
}

TEST(DeviceGaussian, LeadsEpToTheSamePosterior) {
  NEEDS_DEVICE();
  ThreadPool pool(2);
  const OnDevice both({.samples = 60, .features = 200, .correlation = 0.5, .intercept = true});
  SolverOptions options;
  options.tolerance = 1e-9;
  for (const bool newton : {false, true}) {
    const Problem here = both.small.problem(), there = both.problem();
    const Posterior expected = fit_ep(here, options, {.newton = newton}, pool).posterior;
    const Posterior got = fit_ep(there, options, {.newton = newton}, pool).posterior;
    ASSERT_EQ(expected.status, Status::converged);
    ASSERT_EQ(got.status, Status::converged);
    EXPECT_LT(largest_difference(got.inclusion, expected.inclusion), 1e-7);
    EXPECT_LT(largest_difference(got.cavity_mean, expected.cavity_mean), 1e-6);
    EXPECT_NEAR(got.log_evidence, expected.log_evidence, 1e-6);
  }
}

}  // namespace
}  // namespace cavity
