// One routine that every design must pass: each product against a plain double loop over the entries, on random and
// hostile shapes, and the same bits for any number of threads. A new design is one line in design_cases.hpp.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numeric>

#include "design/design_cases.hpp"
#include "design/rows_at.hpp"

namespace cavity {
namespace {

using test::Case, test::Maker;

std::vector<double> normals(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> v(n);
  for (auto& x : v) x = random.normal();
  return v;
}

Eigen::Map<const Eigen::VectorXd> vec(const std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

void expect_near(const std::vector<double>& got, const Eigen::VectorXd& expected, double tolerance = 1e-11) {
  ASSERT_EQ(static_cast<Eigen::Index>(got.size()), expected.size());
  const double scale = 1 + (expected.size() ? expected.cwiseAbs().maxCoeff() : 0.0);
  for (Eigen::Index i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(got[static_cast<std::size_t>(i)], expected[i], tolerance * scale);
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
class Conformance : public ::testing::TestWithParam<std::tuple<Maker, Shape>> {
 protected:
  std::unique_ptr<Case> make() const {
    const auto& [maker, shape] = GetParam();
    return maker.make(shape.samples, shape.features);
  }
  Shape shape() const { return std::get<1>(GetParam()); }
};

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

  const auto react = [](std::size_t first, std::span<double> products) {
    for (double& p : products) p = std::tanh(p) + 0.01 * static_cast<double>(first++);
  };
  Scratch scratch;
  c->design->sweep(v, react, swept, scratch, pool);
  Eigen::VectorXd reaction = vec(rows);
  react(0, {reaction.data(), m});
  const Eigen::VectorXd expected_sweep = x.transpose() * reaction;
  expect_near(swept, expected_sweep);
  c->design->sweep(v, react, swept, scratch, pool, Precision::rough);
  EXPECT_LT((vec(swept) - expected_sweep).norm(),
            1e-6 * (x.norm() * reaction.norm() / std::sqrt(static_cast<double>(n)) + expected_sweep.norm()));

  // Many models, 18 so that the batch has a padded group: each is the single sweep to single precision.
  constexpr std::size_t models = 18;
  std::vector<std::vector<double>> weights, sums(models, std::vector<double>(n));
  for (std::size_t k = 0; k < models; ++k) weights.push_back(normals(n, 10 + k));
  sweep_models(*c->design, weights, sums, pool);
  for (std::size_t k = 0; k < models; ++k) {
    const Eigen::VectorXd u_k = 2 * (x * vec(weights[k]));
    const Eigen::VectorXd expected = x.transpose() * u_k;
    const double root = std::sqrt(static_cast<double>(n));  // the products may cancel: what they are sums of counts too
    const double scale = x.norm() * (u_k.norm() + x.norm() * vec(weights[k]).norm() / root) / root;
    EXPECT_LT((vec(sums[k]) - expected).norm(), 3e-6 * (scale + expected.norm())) << "model " << k;
  }

  Matrix k;
  c->design->gram(t, k, pool);
  const Matrix expected_k = x * vec(t).asDiagonal() * x.transpose();
  EXPECT_LE((k - expected_k).cwiseAbs().maxCoeff(), 1e-11 * (1 + expected_k.cwiseAbs().maxCoeff()));
  Matrix w = expected_k + Matrix::Identity(k.rows(), k.cols());
  c->design->quadratic(w, q, pool);
  expect_near(q, (x.transpose() * w * x).diagonal());
  if (const auto* tiled = dynamic_cast<const TiledDesign*>(c->design.get())) {
    Matrix f;
    tiled->feature_gram(u, f, pool);
    const Matrix expected_f = x.transpose() * vec(u).asDiagonal() * x;
    EXPECT_LE((f - expected_f).cwiseAbs().maxCoeff(), 1e-11 * (1 + expected_f.cwiseAbs().maxCoeff()));
  }
  Matrix some;
  const std::vector<std::size_t> which = {n - 1, 0};
  c->design->columns(which, some);
  EXPECT_NEAR(some(0, 0), x(0, static_cast<Eigen::Index>(n - 1)), 1e-12 * (1 + std::abs(some(0, 0))));
  EXPECT_NEAR(some(static_cast<Eigen::Index>(m - 1), 1), x(static_cast<Eigen::Index>(m - 1), 0),
              1e-12 * (1 + x.cwiseAbs().maxCoeff()));
}

TEST_P(Conformance, EveryProductEqualsThePlainLoop) { check_products(*make(), shape().samples, shape().features); }

TEST_P(Conformance, SquaredProductsEqualThePlainLoop) {
  const auto [m, n] = shape();
  const auto c = make();
  const auto v = normals(n, 1), u = normals(m, 2);
  ThreadPool pool(2);
  std::vector<double> rows(m), cols(n);
  const double rounding = dynamic_cast<const RoundingDesign*>(c->design.get()) ? 1e-9 * std::sqrt(m + n) : 1e-11;
  const Matrix squares = c->entries.cwiseAbs2();
  c->design->squared_times(v, rows, pool);
  expect_near(rows, squares * vec(v), rounding);
  c->design->squared_transpose_times(u, cols, pool);
  expect_near(cols, squares.transpose() * vec(u), rounding);
  std::vector<double> both_rows(m), both_squares(m), both_cols(n), both_square_cols(n), alone_rows(m), alone_cols(n);
  c->design->times_both({v, v}, {both_rows, both_squares}, pool);
  c->design->transpose_times_both({u, u}, {both_cols, both_square_cols}, pool);
  c->design->times(v, alone_rows, pool);
  c->design->transpose_times(u, alone_cols, pool);
  EXPECT_EQ(both_rows, alone_rows);
  EXPECT_EQ(both_squares, rows);
  EXPECT_EQ(both_cols, alone_cols);
  EXPECT_EQ(both_square_cols, cols);
  std::vector<double> too_long(n + 1);
  EXPECT_THROW(c->design->squared_times(too_long, rows, pool), std::invalid_argument);
}

TEST_P(Conformance, ThreadsChangeNoBit) {
  const auto [m, n] = shape();
  const auto c = make();
  const auto v = normals(n, 1), u = normals(m, 2);
  std::vector<std::vector<double>> results;
  for (const unsigned threads : {1U, 2U, 4U}) {
    ThreadPool pool(threads);
    std::vector<double> rows(m), cols(n), swept(n), rough(n), q(n), squared_rows(m), squared_cols(n);
    Matrix k;
    Scratch scratch;
    c->design->times(v, rows, pool);
    c->design->transpose_times(u, cols, pool);
    c->design->sweep(
        v, [](std::size_t, std::span<double>) {}, swept, scratch, pool);
    c->design->sweep(
        v, [](std::size_t, std::span<double>) {}, rough, scratch, pool, Precision::rough);
    c->design->squared_times(v, squared_rows, pool);
    c->design->squared_transpose_times(u, squared_cols, pool);
    c->design->gram(v, k, pool);
    c->design->quadratic(k, q, pool);
    const std::vector<std::vector<double>> weights(5, v);
    std::vector<std::vector<double>> sums(5, std::vector<double>(n));
    sweep_models(*c->design, weights, sums, pool);
    std::vector<double> all = rows;
    for (const auto& sum : sums) all.insert(all.end(), sum.begin(), sum.end());
    for (const auto* part : {&cols, &swept, &rough, &q, &squared_rows, &squared_cols})
      all.insert(all.end(), part->begin(), part->end());
    all.insert(all.end(), k.data(), k.data() + k.size());
    results.push_back(all);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

std::string case_name(const ::testing::TestParamInfo<std::tuple<Maker, Shape>>& one) {
  const Shape shape = std::get<1>(one.param);
  return std::get<0>(one.param).name + std::to_string(shape.samples) + "x" + std::to_string(shape.features);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Conformance,
                         ::testing::Combine(::testing::ValuesIn(test::makers),
                                            ::testing::Values(Shape{1, 1}, Shape{1, 40}, Shape{40, 1}, Shape{3, 17},
                                                              Shape{15, 16}, Shape{16, 15}, Shape{17, 33},
                                                              Shape{62, 301}, Shape{130, 520}, Shape{301, 62},
                                                              Shape{20, 2100})),
                         case_name);

// Large enough for single precision: against the plain loop in double, and the same bits for any number of threads.
TEST(DenseDesign, LargeProductsAreRoundedToFloats) {
  constexpr std::size_t m = 470, n = 46000;
  const auto c = test::dense_case(m, n);
  ASSERT_TRUE(c->design->rounds(Precision::full));
  std::vector<double> t(n), q(n), again(n);
  Random random(4);
  for (auto& x : t) x = random.uniform() * random.uniform();
  ThreadPool one(1), two(2);
  Matrix k, k_again;
  c->design->gram(t, k, one);
  c->design->gram(t, k_again, two);
  EXPECT_EQ(k, k_again);
  const Matrix expected = c->entries * vec(t).asDiagonal() * c->entries.transpose();
  EXPECT_LE((k - expected).cwiseAbs().maxCoeff(), 3e-7 * expected.cwiseAbs().maxCoeff());
  const Matrix w = (expected + expected.diagonal().mean() * Matrix::Identity(k.rows(), k.cols())).inverse();
  c->design->quadratic(w, q, one);
  c->design->quadratic(w, again, two);
  EXPECT_EQ(q, again);
  const Eigen::VectorXd exact = (w * c->entries).cwiseProduct(c->entries).colwise().sum();
  EXPECT_LE((vec(q) - exact).cwiseAbs().maxCoeff(), 1e-6 * exact.cwiseAbs().maxCoeff());
}

TEST(DenseDesign, RoughProductsAreTheFullOnesToSinglePrecision) {
  constexpr std::size_t m = 90, n = 300;
  for (const std::size_t most_in_tiles : {0, 1 << 21}) {
    const auto c = test::dense_case(m, n, most_in_tiles);
    ASSERT_TRUE(c->design->rounds(Precision::rough));
    ASSERT_FALSE(c->design->rounds(Precision::full));
    ThreadPool pool(2);
    std::vector<double> t(n, 0.7), q(n), rough(n);
    Matrix k, k_rough;
    c->design->gram(t, k, pool);
    c->design->gram(t, k_rough, pool, Precision::rough);
    EXPECT_LE((k - k_rough).cwiseAbs().maxCoeff(), 3e-7 * k.cwiseAbs().maxCoeff());
    EXPECT_NE(k, k_rough);
    c->design->quadratic(k, q, pool);
    c->design->quadratic(k, rough, pool, Precision::rough);
    EXPECT_LE((vec(q) - vec(rough)).cwiseAbs().maxCoeff(), 1e-6 * vec(q).cwiseAbs().maxCoeff());
  }
}

// Kept in tiles or not, in one panel or several.
TEST(DenseDesign, RowsApartGiveTheBitsOfTheGramMatrixOfAll) {
  struct Parts {
    std::size_t known, fresh, features;
  };
  ThreadPool pool(2);
  for (const Parts& shape : {Parts{5, 1, 7}, Parts{33, 20, 300}, Parts{40, 90, 40000}, Parts{300, 270, 9000}}) {
    SCOPED_TRACE(testing::Message() << shape.known << " + " << shape.fresh << " x " << shape.features);
    const auto both = test::dense_case(shape.known + shape.fresh, shape.features, DenseDesign::default_tiles);
    const auto& all = dynamic_cast<const DenseDesign&>(*both->design);
    std::vector<std::size_t> every(shape.features);
    std::iota(every.begin(), every.end(), std::size_t{0});
    const RowsAt known(all, {0, shape.known}, every, true);
    const DenseDesign fresh = rows_of(all, {shape.known, shape.fresh});
    Random random(shape.features);
    std::vector<double> t(shape.features), squares(shape.fresh);
    for (double& x : t) x = random.uniform();
    Matrix gram, cross;
    all.gram(t, gram, pool);
    known.design().gram_beside(fresh, t, cross, squares, pool);
    const auto m = static_cast<Eigen::Index>(shape.known), n = static_cast<Eigen::Index>(shape.fresh);
    EXPECT_EQ(cross, gram.bottomLeftCorner(n, m));
    EXPECT_EQ(Eigen::VectorXd(vec(squares)), Eigen::VectorXd(gram.diagonal().tail(n)));
  }
}

TEST(DenseDesign, SomeFeaturesOfSomeRowsAreTheirs) {
  const auto c = test::dense_case(9, 20);
  const std::vector<std::size_t> features = {1, 4, 19};
  const RowsAt some(dynamic_cast<const DenseDesign&>(*c->design), {2, 4}, features, false);
  Matrix all, mine;
  c->design->columns(features, all);
  some.design().columns(std::vector<std::size_t>{0, 1, 2}, mine);
  EXPECT_EQ(mine, all.middleRows(2, 4));
}

TEST(DenseDesign, WrongSizesAreNamed) {
  const auto c = test::dense_case(3, 5);
  std::vector<double> v(4), out(3);
  ThreadPool pool(1);
  EXPECT_THROW(c->design->times(v, out, pool), std::invalid_argument);
}

}  // namespace
}  // namespace cavity
