// The variance of new samples' fields: in one design with the training rows, and from products with these alone.
#include "infer/predictive.hpp"

#include <gtest/gtest.h>

#include "design/rows_at.hpp"
#include "support/small_problem.hpp"

namespace cavity {
namespace {

struct Sites {
  std::vector<double> feature, sample;
};

/// Some of both negative, as step's sites may be.
Sites some_sites(std::size_t features, std::size_t samples) {
  Random random(3);
  Sites out;
  for (std::size_t l = 0; l < features; ++l) out.feature.push_back(l % 9 == 0 ? 0.2 : 0.5 + 3 * random.uniform());
  for (std::size_t mu = 0; mu < samples; ++mu) out.sample.push_back(mu % 8 == 0 ? -0.01 : random.uniform());
  return out;
}

TEST(PredictiveVariance, RowsApartGiveTheBitsOfRowsTogether) {
  ThreadPool pool(2);
  const SmallProblem all = make_small({.samples = 50, .features = 70, .intercept = true});
  const RowRange known{0, 30}, fresh{30, 20};
  const DenseDesign training = rows_of(*all.design, known), others = rows_of(*all.design, fresh);
  const Covariates intercept{Matrix::Ones(30, 1), all.covariates.precision};
  const std::vector<std::int8_t> any(30, 1);
  const Sites sites = some_sites(70, 30);
  const Problem problem{training, any, intercept, all.activation, all.density};
  const PredictiveVariance variance(problem, sites.feature, sites.sample, pool);
  ASSERT_FALSE(variance.split_features().empty());
  const Matrix ones = Matrix::Ones(20, 1);
  const std::vector<double> together = variance(*all.design, ones, pool),
                            apart = variance(training, others, ones, pool);
  EXPECT_EQ(together, apart);
  for (const double v : apart) EXPECT_GT(v, 0);
}

}  // namespace
}  // namespace cavity
