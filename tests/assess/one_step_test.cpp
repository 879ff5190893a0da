// The closed form against the same step written out for the samples that stay, and beside EP at its fixed point.
#include "assess/one_step.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numeric>

#include "assess/covariates_alone.hpp"
#include "infer/kernel_ep.hpp"
#include "model/normal.hpp"

namespace cavity {
namespace {

struct Table {
  Matrix kernel, covariates;
  std::vector<std::uint32_t> classes;
};

/// Classes that follow the first of ten factors, a covariate beside the intercept.
Table factor_table(Eigen::Index samples, std::uint32_t classes) {
  Random random(3);
  Table out{{}, Matrix::Ones(samples, 2), {}};
  Matrix x(samples, 10);
  for (Eigen::Index i = 0; i < samples; ++i) {
    for (Eigen::Index l = 0; l < 10; ++l) x(i, l) = random.normal();
    out.covariates(i, 1) = random.normal();
    out.classes.push_back(std::min(classes - 1, static_cast<std::uint32_t>(std::max(0.0, x(i, 0) + 1.2))));
  }
  out.kernel = x * x.transpose();
  out.kernel *= static_cast<double>(samples) / out.kernel.trace();
  return out;
}

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

double log_loss(const Table& table, std::size_t classes, const SampleGroups* groups,
                const std::vector<std::size_t>& source) {
  ThreadPool pool(1);
  const OneStep step(table.kernel, {table.covariates, table.classes, classes, groups}, pool);
  return step.log_losses({&source, 1}, pool)[0];
}

/// Of one class against the rest, each group predicted from the samples beyond it.
double written_out(const Table& table, std::uint32_t of_class, double share, double noise, const SampleGroups& groups) {
  const auto samples = table.kernel.rows();
  const double k = 4, m = normal_quantile(share), density = normal_pdf(m);
  Matrix whole = k / noise * table.kernel;
  for (Eigen::Index j = 0; j < table.covariates.cols(); ++j) {
    const Eigen::VectorXd z = table.covariates.col(j);
    whole += static_cast<double>(samples) / next_to_free / z.squaredNorm() * z * z.transpose();
  }
  double total = 0;
  for (const auto& group : groups.members) {
    std::vector<Eigen::Index> in, out(group.begin(), group.end());
    for (Eigen::Index i = 0; i < samples; ++i)
      if (std::ranges::find(out, i) == out.end()) in.push_back(i);
    Eigen::MatrixXd noisy = whole(in, in);
    noisy.diagonal().array() += 1;
    const Eigen::MatrixXd inverse = noisy.inverse();
    Eigen::VectorXd t(static_cast<Eigen::Index>(in.size()));
    for (Eigen::Index i = 0; i < t.size(); ++i)
      t[i] = (table.classes[static_cast<std::size_t>(in[static_cast<std::size_t>(i)])] == of_class ? 1 : 0) - share;
    for (const Eigen::Index i : out) {
      const Eigen::VectorXd cross = whole(in, i);
      const double field = std::sqrt(1 + k) * (m + cross.dot(inverse * t) / density);
      const double variance = noise * (whole(i, i) - cross.dot(inverse * cross));
      const double sign = table.classes[static_cast<std::size_t>(i)] == of_class ? 1 : -1;
      total -= log_normal_cdf(sign * field / std::sqrt(1 + variance)) / static_cast<double>(samples);
    }
  }
  return total;
}

SampleGroups groups_of(std::size_t samples, std::size_t size) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < samples; ++i) names.push_back(std::to_string(i / size));
  return gather_groups(names);
}

double share_of(const Table& table, std::uint32_t of_class) {
  return static_cast<double>(std::ranges::count(table.classes, of_class)) / static_cast<double>(table.classes.size());
}

double noise_at(double share) {
  const double density = normal_pdf(normal_quantile(share));
  return 5 * share * (1 - share) / (density * density) - 4;
}

TEST(OneStep, IsTheStepWithoutEachSampleOrGroup) {
  const Table table = factor_table(24, 2);
  const double share = share_of(table, 1), noise = noise_at(share);
  const SampleGroups alone = groups_of(24, 1), threes = groups_of(24, 3);
  EXPECT_NEAR(log_loss(table, 2, nullptr, in_order(24)), written_out(table, 1, share, noise, alone), 1e-9);
  EXPECT_NEAR(log_loss(table, 2, &alone, in_order(24)), written_out(table, 1, share, noise, alone), 1e-9);
  EXPECT_NEAR(log_loss(table, 2, &threes, in_order(24)), written_out(table, 1, share, noise, threes), 1e-9);
}

TEST(OneStep, OfThreeClassesIsTheSumOfEachAgainstTheRest) {
  const Table table = factor_table(30, 3);
  const SampleGroups alone = groups_of(30, 1);
  double noise = 0, sum = 0;
  for (std::uint32_t k = 0; k < 3; ++k) noise += noise_at(share_of(table, k)) / 3;
  for (std::uint32_t k = 0; k < 3; ++k) sum += written_out(table, k, share_of(table, k), noise, alone);
  EXPECT_NEAR(log_loss(table, 3, nullptr, in_order(30)), sum, 1e-9);
}

TEST(OneStep, MovedLabelsAreAMovedKernel) {
  const Table table = factor_table(24, 2);
  std::vector<std::size_t> source;
  std::vector<Eigen::Index> back(24);
  for (std::size_t i = 0; i < 24; ++i) {
    source.push_back((5 * i + 2) % 24);
    back[source.back()] = static_cast<Eigen::Index>(i);
  }
  const Table moved{table.kernel(back, back), table.covariates, table.classes};
  EXPECT_NEAR(log_loss(table, 2, nullptr, source), log_loss(moved, 2, nullptr, in_order(24)), 1e-9);
}

TEST(OneStep, IsNearEpAtItsFixedPoint) {
  Table table = factor_table(60, 2);
  table.covariates = Matrix::Ones(60, 1);
  std::vector<std::int8_t> labels;
  for (const auto k : table.classes) labels.push_back(k == 1 ? 1 : -1);
  Matrix kernel = 4 * table.kernel;
  kernel.array() += 4;
  ThreadPool pool(1);
  const KernelFit ep = fit_kernel_ep({kernel, labels, probit(1)}, {}, pool);
  EXPECT_NEAR(log_loss(table, 2, nullptr, in_order(60)), ep.loo_log_loss, 0.05);
}

TEST(OneStep, AKernelThatSaysNothingIsGuessing) {
  Table table = factor_table(200, 2);
  table.kernel = Matrix::Identity(200, 200);
  table.covariates = Matrix::Ones(200, 1);
  const double p = share_of(table, 1);
  EXPECT_NEAR(log_loss(table, 2, nullptr, in_order(200)), -p * std::log(p) - (1 - p) * std::log(1 - p), 0.01);
}

}  // namespace
}  // namespace cavity
