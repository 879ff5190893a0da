#include "judge/twins.hpp"

#include <algorithm>
#include <cmath>

#include "base/matrix.hpp"
#include "design/sharded_design.hpp"
#include "kernels/matrix_product.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_samples = 2000, most_features = 2000, fewest_features = 20, most_products = 1000000000;
constexpr std::size_t most_pairs = 200000;  // that tell how the correlations are spread
constexpr double far_out = 10;              // robust standard deviations
constexpr double least_twin = 0.4;          // correlation
constexpr double largest = 0.999999;        // beyond, arctanh says nothing more

std::vector<std::size_t> evenly_spaced(std::size_t features, std::size_t samples) {
  const std::size_t affordable = std::max(most_products / (samples * samples), fewest_features);
  const std::size_t count = std::min({features, most_features, affordable});
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(i * features / count);
  return out;
}

/// The lower triangle.
Matrix row_correlations(const Design& design, std::size_t features, ThreadPool& pool) {
  Matrix rows;
  columns_anywhere(design, evenly_spaced(features, design.samples()), rows);
  rows.colwise() -= Eigen::VectorXd(rows.rowwise().mean());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) rows.row(i) /= std::max(rows.row(i).norm(), 1e-300);
  Matrix out = Matrix::Zero(rows.rows(), rows.rows());
  add_lower_product(1, rows, MatrixView(rows).transposed(), out, pool);
  return out;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double stretched(double r) { return std::atanh(std::clamp(r, -largest, largest)); }

}  // namespace

std::vector<Twins> find_twins(const Design& design, std::size_t features, ThreadPool& pool) {
  const std::size_t samples = design.samples();
  if (samples < 4 || samples > most_samples || features < fewest_features) return {};
  const Matrix r = row_correlations(design, features, pool);
  const auto at = [&](std::size_t i, std::size_t j) {
    return r(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i));
  };
  std::vector<double> some;
  std::size_t pair = 0;
  const std::size_t step = 1 + samples * samples / 2 / most_pairs;
  for (std::size_t i = 0; i < samples; ++i)
    for (std::size_t j = i + 1; j < samples; ++j)
      if (pair++ % step == 0) some.push_back(stretched(at(i, j)));
  const double centre = median(some);
  for (double& value : some) value = std::abs(value - centre);
  const double deviation = 1.4826 * median(std::move(some));
  std::vector<Twins> out;
  for (std::size_t i = 0; i < samples; ++i)
    for (std::size_t j = i + 1; j < samples; ++j)
      if (at(i, j) > least_twin && stretched(at(i, j)) > centre + far_out * deviation) out.push_back({i, j, at(i, j)});
  std::stable_sort(out.begin(), out.end(),
                   [](const Twins& a, const Twins& b) { return a.correlation > b.correlation; });
  return out;
}

}  // namespace cavity
