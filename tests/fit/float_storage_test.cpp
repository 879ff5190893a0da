// Values are stored as float32. Against the same fit on values that no float32 holds: the same choice, the same
// probabilities to 1e-4.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/random.hpp"
#include "cavity/read.hpp"
#include "cavity/simulate.hpp"
#include "design/dense_design.hpp"
#include "fit/mix.hpp"
#include "search/grid_solver.hpp"
#include "support/double_design.hpp"
#include "support/sides.hpp"

namespace cavity {
namespace {

// Doubles that all round to the stored floats.
Matrix unrounded(const FeatureMatrix& x) {
  Random random(1);
  Matrix out(static_cast<Eigen::Index>(x.rows), static_cast<Eigen::Index>(x.cols));
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t l = 0; l < x.cols; ++l)
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(l)) =
          static_cast<double>(x.row(i)[l]) * (1 + 0x1p-24 * (random.uniform() - 0.5));
  return out;
}

struct Scaling {
  std::vector<double> centre, scale, row_scale;
};

// Centred, unit variance, rows of length sqrt(features).
Scaling standardise(const Matrix& x) {
  Scaling s;
  const auto n = static_cast<double>(x.cols());
  const Eigen::RowVectorXd mean = x.colwise().mean();
  const Matrix centred = x.rowwise() - mean;
  const Eigen::RowVectorXd deviation = centred.cwiseAbs2().colwise().mean().cwiseSqrt();
  for (Eigen::Index l = 0; l < x.cols(); ++l) {
    s.centre.push_back(mean[l]);
    s.scale.push_back(1 / deviation[l]);
  }
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    s.row_scale.push_back(std::sqrt(n) / centred.row(i).cwiseQuotient(deviation).norm());
  return s;
}

Matrix entries(const Matrix& x, const Scaling& s) {
  Matrix out = x;
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index l = 0; l < x.cols(); ++l)
      out(i, l) = s.row_scale[static_cast<std::size_t>(i)] * s.scale[static_cast<std::size_t>(l)] *
                  (x(i, l) - s.centre[static_cast<std::size_t>(l)]);
  return out;
}

void expect_same_fit(const Dataset& data, Solver solver) {
  const Matrix x = unrounded(data.features.dense());
  const Scaling s = standardise(x);
  const DenseDesign stored(view(data.features.dense()), s.centre, s.scale, s.row_scale);
  const test::DoubleDesign exact(entries(x, s));
  const Covariates none;
  const std::vector<std::int8_t> labels = test::sides(data);
  FitOptions options;
  options.grid.density = {0.5, 0.1, 0.03};
  options.grid.noise = {0.2, 0.1};
  const Grid grid = make_grid(options, data.features.cols());
  GridRun run;
  run.solver = solver;
  ThreadPool pool(2);
  const auto a = solve_grid({stored, labels, none, ActivationKind::step}, grid, run, pool);
  const auto b = solve_grid({exact, labels, none, ActivationKind::step}, grid, run, pool);
  for (const Selection selection : {Selection::stack, Selection::loo_error, Selection::loo_log_loss}) {
    const Mixed first = mix(a, {selection, data.features.cols()}), second = mix(b, {selection, data.features.cols()});
    EXPECT_EQ(first.heaviest, second.heaviest);
    for (std::size_t mu = 0; mu < labels.size(); ++mu)
      EXPECT_NEAR(std::exp(first.loo_log_probability[mu]), std::exp(second.loo_log_probability[mu]), 1e-4);
  }
  ASSERT_EQ(a.size(), grid.size());
  for (std::size_t k = 0; k < grid.size(); ++k) EXPECT_EQ(a[k].status, b[k].status) << "cell " << k;
}

class FloatStorage : public ::testing::TestWithParam<Solver> {};

TEST_P(FloatStorage, ChangesNothingOnSimulatedData) {
  expect_same_fit(simulate({200, 300, 0.05, 0.05, 2}).data, GetParam());
}

// Skewed, correlated, means far from zero.
TEST_P(FloatStorage, ChangesNothingOnGenes) {
  for (const char* name : {"colon", "leukemia", "breast", "prostate"}) {
    SCOPED_TRACE(name);
    const std::string path = std::string(CAVITY_DATA_DIR) + "/" + name + ".csv.gz";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    expect_same_fit(read_dataset(path), GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, FloatStorage, ::testing::Values(Solver::amp, Solver::ep),
                         [](const auto& tested) { return tested.param == Solver::amp ? "amp" : "ep"; });

}  // namespace
}  // namespace cavity
