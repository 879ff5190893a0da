// The same input, options and seed give the same bits for 1, 2 and 4 threads, and the same numbers to 1e-10 at every
// SIMD level of this machine.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>

#include "cavity/compare.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "support/tables.hpp"

namespace cavity {
namespace {

FitOptions options_for(Solver solver, unsigned threads) {
  FitOptions options;
  options.solver.kind = solver;
  options.threads = threads;
  if (solver == Solver::gibbs) {
    options.grid.density = {0.2};
    options.grid.noise = {0.1};
    options.solver.max_iterations = 400;
  }
  return options;
}

std::string everything(const Fit& fit) {
  std::string out = model_bytes(fit.model);
  for (const auto* values : {&fit.loo.probability})
    out.append(reinterpret_cast<const char*>(values->data()), values->size() * sizeof(double));
  for (const Cell& c : fit.questions[0].grid)
    for (const double x : {c.loo_error, c.loo_log_loss, c.residual, c.weight, c.log_evidence})
      out.append(reinterpret_cast<const char*>(&x), sizeof x);
  return out;
}

TEST(Determinism, FitsHaveTheSameBitsForAnyThreads) {
  const Dataset data = test::skewed_table(40, 60);
  for (const Solver solver : {Solver::ep, Solver::gamp, Solver::amp, Solver::gibbs}) {
    const std::string one = everything(fit(data, options_for(solver, 1)));
    for (const unsigned threads : {2U, 4U})
      EXPECT_TRUE(everything(fit(data, options_for(solver, threads))) == one)
          << static_cast<int>(solver) << " with " << threads << " threads";
  }
}

TEST(Determinism, ComparisonsHaveTheSameBitsForAnyThreads) {
  const std::vector<Dataset> tables = {test::skewed_table(30, 20)};
  const std::vector<CompareMethod> methods = {make_compare_method("sbc", {}), make_compare_method("sbl", {})};
  CompareOptions options;
  options.splits = 4;
  options.threads = 1;
  const auto one = compare(tables, methods, options);
  for (const unsigned threads : {2U, 4U}) {
    options.threads = threads;
    EXPECT_EQ(compare(tables, methods, options), one) << threads;
  }
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return size > 0 ? largest / size : largest;
}

struct BestTargetAfterwards {
  ~BestTargetAfterwards() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
};
class SimdLevels : public testing::TestWithParam<Solver>, BestTargetAfterwards {};
class BatchSimdLevels : public testing::Test, BestTargetAfterwards {};

TEST_P(SimdLevels, AgreeTo1em10) {
  const Dataset data = test::skewed_table(40, 61);
  const auto run = [&] {
    FitOptions options = options_for(GetParam(), 1);
    options.grid.density = {0.5, 0.2};
    options.grid.noise = {0.1};
    return fit(data, options);
  };
  const Fit best = run();
  const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  EXPECT_GE(targets.size(), 2U) << "nothing to compare";
  for (const std::int64_t target : targets) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    const Fit forced = run();
    const char* name = hwy::TargetName(target);
    std::cout << name << ": probabilities differ by "
              << largest_difference(forced.loo.probability, best.loo.probability) << ", weights by "
              << largest_difference(forced.model.questions[0].features.weight, best.model.questions[0].features.weight)
              << '\n';
    EXPECT_LE(largest_difference(forced.loo.probability, best.loo.probability), 1e-10) << name;
    EXPECT_LE(
        largest_difference(forced.model.questions[0].features.inclusion, best.model.questions[0].features.inclusion),
        1e-10)
        << name;
    EXPECT_LE(largest_difference(forced.model.questions[0].features.weight, best.model.questions[0].features.weight),
              1e-10)
        << name;
    EXPECT_LE(largest_difference(forced.model.questions[0].features.sd, best.model.questions[0].features.sd), 1e-10)
        << name;
    EXPECT_LE(std::abs(forced.loo.log_loss - best.loo.log_loss), 1e-10 * best.loo.log_loss) << name;
  }
}

// Four cells of amp advance as a batch, whose products are in single precision: with or without fused multiply-adds.
TEST_F(BatchSimdLevels, AgreeTo1em4) {
  const Dataset data = test::skewed_table(40, 61);
  const auto run = [&] {
    FitOptions options = options_for(Solver::amp, 1);
    options.grid.density = {0.5, 0.2};
    options.grid.noise = {0.2, 0.1};
    return fit(data, options);
  };
  const Fit best = run();
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    const Fit forced = run();
    EXPECT_LE(largest_difference(forced.loo.probability, best.loo.probability), 1e-4) << hwy::TargetName(target);
    EXPECT_LE(largest_difference(forced.model.questions[0].features.weight, best.model.questions[0].features.weight),
              1e-4)
        << hwy::TargetName(target);
    EXPECT_EQ(forced.questions[0].chosen, best.questions[0].chosen) << hwy::TargetName(target);
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, SimdLevels, testing::Values(Solver::ep, Solver::amp));

}  // namespace
}  // namespace cavity
