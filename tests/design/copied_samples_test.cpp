// Samples copied multiply as the same ones of the whole design do.
#include "design/copied_samples.hpp"

#include <gtest/gtest.h>

#include "design/some_samples.hpp"
#include "support/small_problem.hpp"

namespace cavity {
namespace {

TEST(CopiedSamples, MultiplyAsThoseOfTheWhole) {
  const SmallProblem small = make_small({.samples = 20, .features = 150, .correlation = 0.4});
  const std::vector<std::size_t> which = {13, 2, 7, 19, 4};
  const FeatureMatrix values = copied_samples(*small.design, which);
  const DenseDesign copied(view(values));
  const SomeSamples some(*small.design, which);
  ThreadPool pool(1);
  std::vector<double> weight(150), out(5), expected(5);
  for (std::size_t l = 0; l < 150; ++l) weight[l] = 0.1 + 0.01 * static_cast<double>(l);
  Matrix gram, expected_gram;
  copied.gram(weight, gram, pool);
  some.gram(weight, expected_gram, pool);
  EXPECT_LT((gram - expected_gram).cwiseAbs().maxCoeff(), 1e-4);
  copied.times(weight, out, pool);
  some.times(weight, expected, pool);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(out[i], expected[i], 1e-4);
}

}  // namespace
}  // namespace cavity
