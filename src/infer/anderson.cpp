#include "infer/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "infer/anderson_kernels.hpp"

namespace cavity {

namespace {

constexpr double ridge = 1e-10;     // of unit vectors; the differences become collinear near the solution
constexpr double longest_step = 3;  // in units of the residual

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The combination of the differences that comes nearest to f, from the products of all of them and f, the last.
// Differences are brought to unit length first: late ones are orders of magnitude smaller than early ones and matter
// more.
Eigen::VectorXd nearest(const RowMatrix& products) {
  const Eigen::Index k = products.rows() - 1;
  const Eigen::VectorXd inverse = products.diagonal().head(k).cwiseSqrt().cwiseMax(1e-300).cwiseInverse();
  RowMatrix normal = inverse.asDiagonal() * products.topLeftCorner(k, k) * inverse.asDiagonal();
  normal.diagonal().array() += ridge;
  const Eigen::VectorXd right = inverse.cwiseProduct(products.row(k).head(k).transpose());
  return normal.ldlt().solve(right).cwiseProduct(inverse);  // reads the lower triangle
}

}  // namespace

void Anderson::forget() {
  history_.clear();
  last_x_.clear();
  last_f_.clear();
}

void Anderson::resume(const AndersonHistory& history) {
  forget();
  for (const auto& [x, f] : history) history_.push_back({{x.begin(), x.end()}, {f.begin(), f.end()}});
}

AndersonHistory Anderson::recent(std::size_t most) const {
  AndersonHistory out;
  for (std::size_t i = history_.size() - std::min(most, history_.size()); i < history_.size(); ++i) {
    const auto& [x, f] = history_[i];
    out.push_back({{x.begin(), x.end()}, {f.begin(), f.end()}});
  }
  return out;
}

void Anderson::remember(std::span<const double> x, std::span<const double> f) {
  if (!last_x_.empty()) {
    if (history_.size() == memory_) history_.pop_front();
    Difference difference;
    difference.x.resize(x.size());
    difference.f.resize(f.size());
    for (std::size_t i = 0; i < x.size(); ++i) difference.x[i] = x[i] - last_x_[i];
    for (std::size_t i = 0; i < f.size(); ++i) difference.f[i] = f[i] - last_f_[i];
    history_.push_back(std::move(difference));
  }
  last_x_.assign(x.begin(), x.end());
  last_f_.assign(f.begin(), f.end());
}

void Anderson::step(std::span<const double> x, std::span<const double> f, std::span<const double> weight, double mixing,
                    bool accelerate, std::span<double> out) {
  remember(x, f);
  for (std::size_t i = 0; i < f.size(); ++i) out[i] = mixing * f[i];
  if (!accelerate || history_.empty()) return;

  std::vector<const double*> vectors;
  for (const Difference& difference : history_) vectors.push_back(difference.f.data());
  vectors.push_back(f.data());
  const auto count = static_cast<Eigen::Index>(vectors.size());
  RowMatrix products(count, count);
  kernels::weighted_products(vectors, weight, products.data());
  shards_.sum({products.data(), static_cast<std::size_t>(products.size())});
  const Eigen::VectorXd gamma = nearest(products);
  if (!gamma.allFinite()) return;

  vectors.clear();
  std::vector<double> factor;
  for (std::size_t i = 0; i < history_.size(); ++i) {
    const double share = -gamma[static_cast<Eigen::Index>(i)];
    vectors.insert(vectors.end(), {history_[i].x.data(), history_[i].f.data()});
    factor.insert(factor.end(), {share, mixing * share});
  }
  kernels::add_scaled(vectors, factor, out);
  const double* step = out.data();
  double square = 0;
  kernels::weighted_products({&step, 1}, weight, &square);
  const double length = std::sqrt(shards_.sum(square)), residual = std::sqrt(products(count - 1, count - 1));
  if (length > longest_step * residual)
    for (double& value : out) value *= longest_step * residual / length;
}

}  // namespace cavity
