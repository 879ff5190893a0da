#include "assess/twins.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "assess/one_kind.hpp"
#include "base/budget.hpp"
#include "base/matrix.hpp"
#include "design/sharded_design.hpp"
#include "kernels/matrix_product.hpp"

namespace cavity {

namespace {

constexpr double far_out = 10;        // robust standard deviations
constexpr double least_twin = 0.4;    // correlation
constexpr double largest = 0.999999;  // beyond, arctanh says nothing more

std::vector<std::size_t> evenly_spaced(std::size_t features, std::size_t samples) {
  const auto affordable = std::max(static_cast<std::size_t>(a_few_seconds) / (samples * samples), fewest_of_one_kind);
  const std::size_t count = std::min(features, affordable);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(i * features / count);
  return out;
}

template <class Work>
void in_stripes(std::size_t samples, ThreadPool& pool, const Work& work) {
  constexpr std::size_t stripe = 64;
  pool.run((samples + stripe - 1) / stripe,
           [&](std::size_t s) { work(s * stripe, std::min(samples, (s + 1) * stripe)); });
}

/// The lower triangle.
Matrix row_correlations(const Design& design, std::size_t features, ThreadPool& pool) {
  Matrix rows;
  columns_anywhere(design, evenly_spaced(features, design.samples()), rows);
  rows.colwise() -= Eigen::VectorXd(rows.rowwise().mean());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) rows.row(i) /= std::max(rows.row(i).norm(), 1e-300);
  Matrix out(rows.rows(), rows.rows());
  in_stripes(design.samples(), pool, [&](std::size_t first, std::size_t end) {
    out.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(end - first)).setZero();
  });
  add_lower_product(1, rows, MatrixView(rows).transposed(), out, pool);
  return out;
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double stretched(double r) { return std::atanh(std::clamp(r, -largest, largest)); }

/// Of all pairs.
struct Spread {
  double centre, deviation;
};

Spread spread_of(const Matrix& r, ThreadPool& pool) {
  const auto samples = static_cast<std::size_t>(r.rows()), pairs = samples * (samples - 1) / 2;
  std::vector<double> some(pairs);
  in_stripes(samples, pool, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t before = i * (2 * samples - i - 1) / 2;  // pairs of earlier samples
      for (std::size_t j = i + 1; j < samples; ++j)
        some[before + j - i - 1] = stretched(r(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)));
    }
  });
  const double centre = median(some);
  for (double& value : some) value = std::abs(value - centre);
  return {centre, 1.4826 * median(some)};
}

}  // namespace

std::vector<Twins> find_twins(const Design& design, std::size_t features, ThreadPool& pool) {
  const std::size_t samples = design.samples();
  if (samples < 4 || features < fewest_of_one_kind) return {};
  const Matrix r = row_correlations(design, features, pool);
  const Spread spread = spread_of(r, pool);
  std::vector<std::vector<Twins>> of_sample(samples);  // with those before it
  in_stripes(samples, pool, [&](std::size_t first, std::size_t end) {
    for (std::size_t j = first; j < end; ++j)
      for (std::size_t i = 0; i < j; ++i) {
        const double correlation = r(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i));
        if (correlation > least_twin && stretched(correlation) > spread.centre + far_out * spread.deviation)
          of_sample[j].push_back({i, j, correlation});
      }
  });
  std::vector<Twins> out;
  for (const auto& some : of_sample) out.insert(out.end(), some.begin(), some.end());
  std::ranges::sort(out, [](const Twins& a, const Twins& b) {
    return std::tuple(-a.correlation, a.first, a.second) < std::tuple(-b.correlation, b.first, b.second);
  });
  return out;
}

}  // namespace cavity
