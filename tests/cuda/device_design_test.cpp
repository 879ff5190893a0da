// Every product of a design on the device against a plain loop over the entries.
#include <cmath>

#include "cuda/device_or_skip.hpp"
#include "design/design_cases.hpp"

namespace cavity {
namespace {

std::vector<double> normals(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> v(n);
  for (auto& x : v) x = random.normal();
  return v;
}

Eigen::Map<const Eigen::VectorXd> vec(const std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

void expect_near(const std::vector<double>& got, const Eigen::VectorXd& expected, double tolerance) {
  EXPECT_LT((vec(got) - expected).cwiseAbs().maxCoeff(), tolerance * (1 + expected.cwiseAbs().maxCoeff()));
}

template <class D>
std::unique_ptr<const Design> on_device(test::Case& made, const cuda::CudaShards& shards) {
  return shards.accelerator()->hold(std::unique_ptr<const D>(&dynamic_cast<const D&>(*made.design.release())));
}

// Five models at once, the reaction being 2 products + the model's number.
void check_many(const Design& design, const Matrix& x, double rounding) {
  constexpr std::size_t models = 5;
  const auto m = static_cast<std::size_t>(x.rows()), n = static_cast<std::size_t>(x.cols());
  std::vector<std::vector<double>> v, out(models, std::vector<double>(n));
  for (std::size_t k = 0; k < models; ++k) v.push_back(normals(n, 10 + k));
  const std::vector<std::span<const double>> weights(v.begin(), v.end());
  const std::vector<std::span<double>> messages(out.begin(), out.end());
  ThreadPool pool(2);
  Scratch scratch;
  design.sweep_many(
      weights,
      [](const Design::SampleRange& range, const double* products, double* reactions) {
        for (std::size_t i = 0; i < range.count; ++i)
          for (std::size_t k = 0; k < models; ++k)
            reactions[i * range.stride + k] = 2 * products[i * range.stride + k] + static_cast<double>(k);
      },
      messages, scratch, pool);
  for (std::size_t k = 0; k < models; ++k)
    expect_near(out[k], x.transpose() * ((2 * (x * vec(v[k]))).array() + static_cast<double>(k)).matrix(),
                1e-11 + rounding * std::sqrt(m + n));
}

/// `rounding`: of rough products; `has_all`: gram and quadratic, too.
void check_products(const Design& design, const Matrix& x, double rounding, bool has_all = true) {
  const auto m = static_cast<std::size_t>(x.rows()), n = static_cast<std::size_t>(x.cols());
  const auto v = normals(n, 1), u = normals(m, 2), w = normals(n, 3), z = normals(m, 4);
  ThreadPool pool(2);
  std::vector<double> rows(m), row_squares(m), columns(n), column_squares(n), q(n);
  const Matrix squares = x.cwiseAbs2();
  for (const Precision precision : {Precision::full, Precision::rough}) {
    const double tolerance = precision == Precision::full ? 1e-11 : rounding * std::sqrt(m + n);
    design.times(v, rows, pool, precision);
    expect_near(rows, x * vec(v), tolerance);
    design.transpose_times(u, columns, pool, precision);
    expect_near(columns, x.transpose() * vec(u), tolerance);
    design.times_both({v, w}, {rows, row_squares}, pool, precision);
    expect_near(rows, x * vec(v), tolerance);
    expect_near(row_squares, squares * vec(w), tolerance);
    design.transpose_times_both({u, z}, {columns, column_squares}, pool, precision);
    expect_near(columns, x.transpose() * vec(u), tolerance);
    expect_near(column_squares, squares.transpose() * vec(z), tolerance);
  }
  check_many(design, x, rounding);
  if (!has_all) return;
  Matrix k;
  design.gram(w, k, pool);
  const Matrix expected = x * vec(w).asDiagonal() * x.transpose();
  EXPECT_LT((k - expected).cwiseAbs().maxCoeff(), 1e-11 * (1 + expected.cwiseAbs().maxCoeff()));
  design.quadratic(expected, q, pool);
  expect_near(q, (x.transpose() * expected * x).diagonal(), 1e-11);
  std::vector<double> bad = v;
  bad[n / 2] = std::numeric_limits<double>::quiet_NaN();
  design.times(bad, rows, pool, Precision::rough);
  EXPECT_TRUE(std::isnan(rows[0]));
}

struct Shape {
  std::size_t samples, features;
};
constexpr Shape shapes[] = {{1, 1}, {37, 53}, {300, 700}, {257, 4097}, {90, 9000}};

TEST(DeviceDesign, DenseProductsEqualThePlainLoop) {
  NEEDS_DEVICE();
  const cuda::CudaShards shards;
  for (const auto& [samples, features] : shapes) {
    SCOPED_TRACE(testing::Message() << samples << " x " << features);
    const auto made = test::dense_case(samples, features);
    check_products(*on_device<DenseDesign>(*made, shards), made->entries, 1e-11);
  }
}

TEST(DeviceDesign, GenotypeProductsEqualThePlainLoop) {
  NEEDS_DEVICE();
  const cuda::CudaShards shards;
  for (const auto& [samples, features] : shapes) {
    SCOPED_TRACE(testing::Message() << samples << " x " << features);
    const auto made = test::genotype_case(samples, features);
    check_products(*on_device<GenotypeDesign>(*made, shards), made->entries, 1e-8);
  }
}

// A part of it there, the other part sent in every pass; no part of it there.
TEST(DeviceDesign, ProductsOfWhatDoesNotFitEqualThePlainLoop) {
  NEEDS_DEVICE();
  for (const std::size_t most_bytes : {std::size_t{0}, std::size_t{300000}}) {
    SCOPED_TRACE(most_bytes);
    const cuda::CudaShards shards(most_bytes);
    const auto dense = test::dense_case(257, 4097);
    check_products(*on_device<DenseDesign>(*dense, shards), dense->entries, 1e-11, false);
    const auto calls = test::genotype_case(300, 4097);
    check_products(*on_device<GenotypeDesign>(*calls, shards), calls->entries, 1e-8, false);
  }
}

TEST(DeviceDesign, WeightsOfOneSignAddUp) {
  NEEDS_DEVICE();
  const cuda::CudaShards shards;
  const auto made = test::genotype_case(400, 3000);
  const auto design = on_device<GenotypeDesign>(*made, shards);
  const std::vector<double> v(3000, 0.7), u(400, 0.3);
  std::vector<double> rows(400), columns(3000);
  ThreadPool pool(2);
  design->squared_times(v, rows, pool);
  expect_near(rows, made->entries.cwiseAbs2() * vec(v), 1e-11);
  design->squared_transpose_times(u, columns, pool);
  expect_near(columns, made->entries.cwiseAbs2().transpose() * vec(u), 1e-11);
}

TEST(DeviceDesign, SaysWhatDoesNotFit) {
  NEEDS_DEVICE();
  const cuda::CudaShards shards(100000);
  EXPECT_FALSE(shards.accelerator()->takes_ep(1000000, 1000000));
  EXPECT_TRUE(shards.accelerator()->takes_ep(1000, 10000));
  const auto made = test::dense_case(90, 9000);
  const auto design = on_device<DenseDesign>(*made, shards);
  ThreadPool pool(1);
  std::vector<double> q(9000);
  try {
    design->quadratic(Matrix::Identity(90, 90), q, pool);
    FAIL() << "3 MB were held";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("90 x 9000"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cavity
