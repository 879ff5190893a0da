// EP on a kernel: symmetries, limits, EP over features with all of them kept, leave-one-out and groups against refits.
#include "infer/kernel_ep.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "infer/ep.hpp"
#include "support/small_problem.hpp"

namespace cavity {
namespace {

/// X X^T/N, and the intercept's share where there is one.
Matrix kernel_of(const SmallProblem& small) {
  const Eigen::MatrixXd x = small.x().cast<double>();
  Matrix out = x * x.transpose() / static_cast<double>(x.cols());
  if (small.covariates.count() > 0) out.array() += 1 / small.covariates.precision[0];
  return out;
}

KernelFit fit(const KernelProblem& problem, const KernelSites* start = nullptr) {
  ThreadPool pool(1);
  return fit_kernel_ep(problem, {.tolerance = 1e-9, .max_updates = 500, .start = start}, pool);
}

/// g of each sample's own label in `out`, from the sites of the samples in `in`.
std::vector<double> predict(const KernelProblem& whole, const std::vector<Eigen::Index>& in,
                            const std::vector<Eigen::Index>& out) {
  const Matrix kernel = whole.kernel(in, in), cross = whole.kernel(out, in);
  std::vector<std::int8_t> labels;
  for (const auto i : in) labels.push_back(whole.labels[static_cast<std::size_t>(i)]);
  const KernelFit refit = fit({kernel, labels, whole.activation});
  EXPECT_EQ(refit.status, Status::converged);
  const Eigen::VectorXd omega = Eigen::VectorXd::Map(refit.sites.precision.data(), kernel.rows());
  const Eigen::VectorXd eta = Eigen::VectorXd::Map(refit.sites.linear.data(), kernel.rows());
  Eigen::MatrixXd noisy = kernel;
  noisy.diagonal() += omega.cwiseInverse();
  const Eigen::MatrixXd inverse = noisy.inverse();
  std::vector<double> own;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Eigen::VectorXd k = cross.row(static_cast<Eigen::Index>(i)).transpose();
    const double mean = k.dot(inverse * omega.cwiseInverse().cwiseProduct(eta));
    const double variance = whole.kernel(out[i], out[i]) - k.dot(inverse * k);
    own.push_back(
        average_likelihood(whole.activation, whole.labels[static_cast<std::size_t>(out[i])] * mean, variance));
  }
  return own;
}

std::vector<Eigen::Index> without(Eigen::Index size, const std::vector<Eigen::Index>& gone) {
  std::vector<Eigen::Index> out;
  for (Eigen::Index i = 0; i < size; ++i)
    if (std::ranges::find(gone, i) == gone.end()) out.push_back(i);
  return out;
}

TEST(KernelEp, IsEpWithAllFeaturesKept) {
  for (const double flip : {0.0, 0.02}) {
    SCOPED_TRACE(flip);
    const SmallProblem small = make_small({.samples = 40,
                                           .features = 100,
                                           .correlation = 0.5,
                                           .density = 1,
                                           .activation = make_activation(flip, 1),
                                           .intercept = true});
    ThreadPool pool(1);
    SolverOptions options;
    options.tolerance = 1e-10;
    EpStart start;
    start.sites = EpSites::positive_samples;
    const Posterior features = fit_ep(small.problem(), options, start, pool).posterior;
    const SmallProblem& s = small;
    Matrix kernel = s.x().cast<double>() * s.x().cast<double>().transpose() / (100 * features.prior.precision);
    kernel.array() += 1 / small.covariates.precision[0];
    const KernelFit got = fit({kernel, small.labels, small.activation});
    ASSERT_TRUE(usable(features.status) && usable(got.status));
    for (std::size_t mu = 0; mu < 40; ++mu) {
      EXPECT_NEAR(got.cavity_mean[mu] * small.labels[mu], features.cavity_mean[mu], 1e-5);
      EXPECT_NEAR(got.cavity_variance[mu], features.cavity_variance[mu], 1e-5);
      EXPECT_NEAR(got.loo_log_probability[mu], features.loo_log_probability[mu], 1e-5);
    }
    EXPECT_NEAR(got.log_evidence, features.log_partition, 1e-4);
  }
}

TEST(KernelEp, LeavesOutAsRefitsDo) {
  const SmallProblem small = make_small({.samples = 40, .features = 60, .correlation = 0.6, .intercept = true});
  const Matrix kernel = 4 * kernel_of(small);
  const KernelProblem problem{kernel, small.labels, probit(1)};
  const KernelFit whole = fit(problem);
  double difference = 0;
  for (Eigen::Index mu = 0; mu < 40; ++mu)
    difference += std::abs(std::exp(whole.loo_log_probability[static_cast<std::size_t>(mu)]) -
                           predict(problem, without(40, {mu}), {mu})[0]) /
                  40;
  EXPECT_LT(difference, 0.003);
}

TEST(KernelEp, LeavesGroupsOutAsRefitsDo) {
  const SmallProblem small = make_small({.samples = 40, .features = 60, .correlation = 0.6, .intercept = true});
  const auto half = std::vector<std::int8_t>(small.labels.begin(), small.labels.begin() + 20);
  std::vector<std::int8_t> labels;
  std::vector<std::string> names;
  std::vector<Eigen::Index> rows;  // each with a copy that differs a little
  for (Eigen::Index i = 0; i < 40; ++i) {
    rows.push_back(i / 2);
    labels.push_back(half[static_cast<std::size_t>(i / 2)]);
    names.push_back(std::to_string(i / 2));
  }
  Matrix kernel = 4 * kernel_of(small)(rows, rows);
  kernel.diagonal().array() += 0.1;
  const SampleGroups groups = gather_groups(names);
  const KernelProblem problem{kernel, labels, probit(1), &groups}, alone{kernel, labels, probit(1)};
  const KernelFit together = fit(problem), single = fit(alone);
  double of_groups = 0, of_samples = 0;
  for (Eigen::Index g = 0; g < 20; ++g) {
    const std::vector<double> own = predict(alone, without(40, {2 * g, 2 * g + 1}), {2 * g, 2 * g + 1});
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t mu = static_cast<std::size_t>(2 * g) + i;
      of_groups += std::abs(std::exp(together.loo_log_probability[mu]) - own[i]) / 40;
      of_samples += std::abs(std::exp(single.loo_log_probability[mu]) - own[i]) / 40;
    }
  }
  EXPECT_LT(of_groups, 0.01);
  EXPECT_GT(of_samples, 5 * of_groups);
}

TEST(KernelEp, SampleOrderAndSignsDoNotMatter) {
  const SmallProblem small = make_small({.samples = 30, .features = 50, .correlation = 0.5, .intercept = true});
  const Matrix kernel = kernel_of(small);
  std::vector<Eigen::Index> order;
  std::vector<std::int8_t> labels;
  for (Eigen::Index i = 0; i < 30; ++i) {
    order.push_back((7 * i + 3) % 30);
    labels.push_back(static_cast<std::int8_t>(-small.labels[static_cast<std::size_t>(order.back())]));
  }
  const Matrix moved = kernel(order, order);
  const KernelFit a = fit({kernel, small.labels, probit(0.5)}), b = fit({moved, labels, probit(0.5)});
  for (std::size_t i = 0; i < 30; ++i) {
    const auto from = static_cast<std::size_t>(order[i]);
    EXPECT_NEAR(b.cavity_mean[i], -a.cavity_mean[from], 1e-7);
    EXPECT_NEAR(b.cavity_variance[i], a.cavity_variance[from], 1e-7);
    EXPECT_NEAR(b.loo_log_probability[i], a.loo_log_probability[from], 1e-7);
  }
  EXPECT_NEAR(a.log_evidence, b.log_evidence, 1e-7);
}

TEST(KernelEp, ConvergesInAFewUpdatesOnAnyScale) {
  const SmallProblem small = make_small({.samples = 60, .features = 200, .correlation = 0.5, .intercept = true});
  ThreadPool pool(1);
  for (const double scale : {1e-6, 0.1, 1.0, 16.0, 1000.0}) {
    SCOPED_TRACE(scale);
    const Matrix kernel = scale * kernel_of(small);
    const KernelFit got = fit_kernel_ep({kernel, small.labels, probit(1)}, {}, pool);
    EXPECT_EQ(got.status, Status::converged);
    EXPECT_LE(got.updates, 20);
    if (scale > 1e-5) continue;
    EXPECT_NEAR(got.loo_log_loss, std::numbers::ln2, 1e-3);
  }
}

TEST(KernelEp, EvidenceOfOneAndTwoSamples) {
  Matrix one(1, 1), two(2, 2);
  one << 3;
  two << 3, 1.5, 1.5, 3;
  EXPECT_NEAR(fit({one, std::vector<std::int8_t>{1}, probit(1)}).log_evidence, -std::numbers::ln2, 1e-12);
  const double angle = std::asin(1.5 / 4) / (2 * std::numbers::pi);
  EXPECT_NEAR(std::exp(fit({two, std::vector<std::int8_t>{1, 1}, probit(1)}).log_evidence), 0.25 + angle, 1e-3);
  EXPECT_NEAR(std::exp(fit({two, std::vector<std::int8_t>{-1, 1}, probit(1)}).log_evidence), 0.25 - angle, 1e-3);
}

// Of three samples P(y) is an orthant's probability, 1/8 + sum of asin(y y' K/(1 + k))/(4 pi); leave-one-out is that
// over the one of the other two. Gaussian sites know it but for what cubes and higher powers of the correlations say.
TEST(KernelEp, ThreeSamplesExactly) {
  const std::vector<std::int8_t> labels = {1, -1, 1};
  const auto exact = [&](const Matrix& kernel, Eigen::Index i, Eigen::Index j) {
    return std::asin(labels[static_cast<std::size_t>(i)] * labels[static_cast<std::size_t>(j)] * kernel(i, j) /
                     (1 + kernel(0, 0)));
  };
  const auto errors = [&](double correlation) {
    Matrix kernel = Matrix::Constant(3, 3, 2 * correlation);
    kernel.diagonal().setConstant(2);
    kernel(0, 1) = kernel(1, 0) = -correlation;
    const KernelFit got = fit({kernel, labels, probit(1)});
    const double all =
        0.125 + (exact(kernel, 0, 1) + exact(kernel, 0, 2) + exact(kernel, 1, 2)) / (4 * std::numbers::pi);
    double left_out = 0;
    for (Eigen::Index mu = 0; mu < 3; ++mu) {
      const double others = 0.25 + exact(kernel, (mu + 1) % 3, (mu + 2) % 3) / (2 * std::numbers::pi);
      left_out =
          std::max(left_out, std::abs(std::exp(got.loo_log_probability[static_cast<std::size_t>(mu)]) - all / others));
    }
    return std::pair(std::abs(std::exp(got.log_evidence) - all), left_out);
  };
  const auto [evidence, left_out] = errors(0.02);
  EXPECT_LT(evidence, 1e-6);
  EXPECT_LT(left_out, 1e-6);
  const auto [evidence_of_more, left_out_of_more] = errors(0.04);
  EXPECT_GT(evidence_of_more, 7 * evidence);
  EXPECT_GT(left_out_of_more, 7 * left_out);
}

// With flips a site may be held at zero: what it knows then is what the others say.
TEST(KernelEp, HeldSitesLeaveNumbersBehind) {
  int held = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4})
    for (const double flip : {0.02, 0.08}) {
      const SmallProblem small = make_small({.samples = 60, .features = 30, .correlation = 0.5, .seed = seed});
      Matrix kernel = 10 * kernel_of(small);
      kernel.diagonal().array() += 1e-5;
      const KernelFit got = fit({kernel, small.labels, make_activation(flip, 1)});
      EXPECT_TRUE(usable(got.status));
      EXPECT_TRUE(std::isfinite(got.log_evidence));
      for (const double own : got.loo_log_probability) EXPECT_LT(own, 0);
      held += got.status == Status::restricted;
    }
  EXPECT_GT(held, 0);
}

TEST(KernelEp, StartsFromTheSitesOfASimilarProblem) {
  const SmallProblem small = make_small({.samples = 40, .features = 60});
  const Matrix kernel = kernel_of(small), other = 1.02 * kernel;
  const KernelFit cold = fit({kernel, small.labels, probit(1)}),
                  again = fit({kernel, small.labels, probit(1)}, &cold.sites);
  EXPECT_EQ(again.updates, 0);
  EXPECT_LT(fit({other, small.labels, probit(1)}, &cold.sites).updates, cold.updates);
}

TEST(KernelEp, SaysWhichSizesDoNotFit) {
  const Matrix kernel = Matrix::Identity(3, 3);
  EXPECT_THROW(fit({kernel, std::vector<std::int8_t>{1, -1}, probit(1)}), std::invalid_argument);
  EXPECT_THROW(fit({kernel, std::vector<std::int8_t>{1, -1, 0}, probit(1)}), std::invalid_argument);
}

}  // namespace
}  // namespace cavity
