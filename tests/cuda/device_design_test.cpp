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

void check_products(const Design& design, const Matrix& x, double rounding) {
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

TEST(DeviceDesign, SaysWhatDoesNotFit) {
  NEEDS_DEVICE();
  const cuda::CudaShards shards;
  EXPECT_FALSE(shards.accelerator()->takes_ep(1000000, 1000000));
  EXPECT_TRUE(shards.accelerator()->takes_ep(1000, 10000));
  const float one = 1;
  const std::size_t samples = 10000000, features = 100000;  // 4 TB, none of them there
  auto large = std::make_unique<DenseDesign>(FeatureView{&one, samples, features, 0}, std::vector<double>(features),
                                             std::vector<double>(features, 1), std::vector<double>(samples, 1));
  try {
    shards.accelerator()->hold(std::move(large));
    FAIL() << "4 TB were held";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("4000.0 GB"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cavity
