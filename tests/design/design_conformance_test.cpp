// One routine that every design must pass: each product against a plain double loop over the entries, on random and
// hostile shapes, and the same bits for any number of threads. A new design is one line in `designs`.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "base/random.hpp"
#include "design/dense_design.hpp"

namespace cavity {
namespace {

struct Case {
  FeatureMatrix values;
  std::unique_ptr<Design> design;
  Matrix entries;  // what the design stands for
};

std::unique_ptr<Case> dense_case(std::size_t samples, std::size_t features, std::size_t most_in_tiles = 1 << 21) {
  Random random(samples * 1000 + features);
  auto made = std::make_unique<Case>();
  made->values = FeatureMatrix(samples, features);
  for (auto& v : made->values.values) v = static_cast<float>(50 + 3 * random.normal());
  std::vector<double> centre(features), scale(features), row_scale(samples);
  for (auto& c : centre) c = 50 + random.normal();
  for (auto& s : scale) s = 0.1 + random.uniform();
  for (auto& r : row_scale) r = 0.5 + random.uniform();
  made->entries.resize(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(features));
  for (std::size_t mu = 0; mu < samples; ++mu)
    for (std::size_t l = 0; l < features; ++l)
      made->entries(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(l)) =
          row_scale[mu] * scale[l] * (static_cast<double>(made->values.row(mu)[l]) - centre[l]);
  made->design = std::make_unique<DenseDesign>(view(made->values), centre, scale, row_scale, most_in_tiles);
  return made;
}

std::vector<double> normals(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> v(n);
  for (auto& x : v) x = random.normal();
  return v;
}

Eigen::Map<const Eigen::VectorXd> vec(const std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

void expect_near(const std::vector<double>& got, const Eigen::VectorXd& expected) {
  ASSERT_EQ(static_cast<Eigen::Index>(got.size()), expected.size());
  const double scale = 1 + (expected.size() ? expected.cwiseAbs().maxCoeff() : 0.0);
  for (Eigen::Index i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(got[static_cast<std::size_t>(i)], expected[i], 1e-11 * scale);
}

void sweep_models(const Design& design, const std::vector<std::vector<double>>& weights,
                  std::vector<std::vector<double>>& sums, ThreadPool& pool) {
  const std::vector<std::span<const double>> in(weights.begin(), weights.end());
  const std::vector<std::span<double>> out(sums.begin(), sums.end());
  const auto react = [&](const Design::SampleRange& range, const double* products, double* reactions) {
    for (std::size_t i = 0; i < range.count; ++i)
      for (std::size_t k = 0; k < weights.size(); ++k)
        reactions[i * range.stride + k] = 2 * products[i * range.stride + k];
  };
  Scratch scratch;
  design.sweep_many(in, react, out, scratch, pool);
}

struct Shape {
  std::size_t samples, features;
};
class Conformance : public ::testing::TestWithParam<Shape> {};

void check_products(const Case& made, std::size_t m, std::size_t n) {
  const Case* c = &made;
  const Matrix& x = c->entries;
  const auto v = normals(n, 1), u = normals(m, 2), t = normals(n, 3);
  ThreadPool pool(1);
  std::vector<double> rows(m), cols(n), swept(n), q(n);

  c->design->times(v, rows, pool);
  expect_near(rows, x * vec(v));
  c->design->transpose_times(u, cols, pool);
  expect_near(cols, x.transpose() * vec(u));
  EXPECT_NEAR(vec(rows).dot(vec(u)), vec(cols).dot(vec(v)), 1e-9 * (1 + std::abs(vec(rows).dot(vec(u)))));  // adjoint

  const auto react = [](std::size_t mu, double p) { return std::tanh(p) + 0.01 * static_cast<double>(mu); };
  Scratch scratch;
  c->design->sweep(v, react, swept, scratch, pool);
  Eigen::VectorXd reaction(static_cast<Eigen::Index>(m));
  for (std::size_t mu = 0; mu < m; ++mu) reaction[static_cast<Eigen::Index>(mu)] = react(mu, rows[mu]);
  expect_near(swept, x.transpose() * reaction);

  // Many models, 18 so that the batch has a padded group: each is the single sweep to single precision.
  constexpr std::size_t models = 18;
  std::vector<std::vector<double>> weights, sums(models, std::vector<double>(n));
  for (std::size_t k = 0; k < models; ++k) weights.push_back(normals(n, 10 + k));
  sweep_models(*c->design, weights, sums, pool);
  for (std::size_t k = 0; k < models; ++k) {
    const Eigen::VectorXd u_k = 2 * (x * vec(weights[k]));
    const Eigen::VectorXd expected = x.transpose() * u_k;
    const double scale = x.norm() * u_k.norm() / std::sqrt(static_cast<double>(n));
    EXPECT_LT((vec(sums[k]) - expected).norm(), 3e-6 * (scale + expected.norm())) << "model " << k;
  }

  Matrix k;
  c->design->gram(t, k, pool);
  const Matrix expected_k = x * vec(t).asDiagonal() * x.transpose();
  EXPECT_LE((k - expected_k).cwiseAbs().maxCoeff(), 1e-11 * (1 + expected_k.cwiseAbs().maxCoeff()));
  Matrix w = expected_k + Matrix::Identity(k.rows(), k.cols());
  c->design->quadratic(w, q, pool);
  expect_near(q, (x.transpose() * w * x).diagonal());
  Matrix f;
  c->design->feature_gram(u, f, pool);
  const Matrix expected_f = x.transpose() * vec(u).asDiagonal() * x;
  EXPECT_LE((f - expected_f).cwiseAbs().maxCoeff(), 1e-11 * (1 + expected_f.cwiseAbs().maxCoeff()));
  Matrix some;
  const std::vector<std::size_t> which = {n - 1, 0};
  c->design->columns(which, some);
  EXPECT_EQ(some(0, 0), x(0, static_cast<Eigen::Index>(n - 1)));
}

TEST_P(Conformance, EveryProductEqualsThePlainLoop) {
  const auto [m, n] = GetParam();
  check_products(*dense_case(m, n), m, n);
}

TEST_P(Conformance, EveryProductEqualsThePlainLoopWithoutTiles) {
  const auto [m, n] = GetParam();
  check_products(*dense_case(m, n, 0), m, n);
}

TEST_P(Conformance, ThreadsChangeNoBit) {
  const auto [m, n] = GetParam();
  const auto c = dense_case(m, n);
  const auto v = normals(n, 1), u = normals(m, 2);
  std::vector<std::vector<double>> results;
  for (const unsigned threads : {1U, 2U, 4U}) {
    ThreadPool pool(threads);
    std::vector<double> rows(m), cols(n), swept(n), q(n);
    Matrix k;
    Scratch scratch;
    c->design->times(v, rows, pool);
    c->design->transpose_times(u, cols, pool);
    c->design->sweep(
        v, [](std::size_t, double p) { return p; }, swept, scratch, pool);
    c->design->gram(v, k, pool);
    c->design->quadratic(k, q, pool);
    const std::vector<std::vector<double>> weights(5, v);
    std::vector<std::vector<double>> sums(5, std::vector<double>(n));
    sweep_models(*c->design, weights, sums, pool);
    std::vector<double> all = rows;
    for (const auto& sum : sums) all.insert(all.end(), sum.begin(), sum.end());
    for (const auto* part : {&cols, &swept, &q}) all.insert(all.end(), part->begin(), part->end());
    all.insert(all.end(), k.data(), k.data() + k.size());
    results.push_back(all);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Conformance,
                         ::testing::Values(Shape{1, 1}, Shape{1, 40}, Shape{40, 1}, Shape{3, 17}, Shape{15, 16},
                                           Shape{16, 15}, Shape{17, 33}, Shape{62, 301}, Shape{130, 520},
                                           Shape{301, 62}, Shape{20, 2100}));

TEST(DenseDesign, WrongSizesAreNamed) {
  const auto c = dense_case(3, 5);
  std::vector<double> v(4), out(3);
  ThreadPool pool(1);
  EXPECT_THROW(c->design->times(v, out, pool), std::invalid_argument);
}

}  // namespace
}  // namespace cavity
