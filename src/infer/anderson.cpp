#include "infer/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "kernels/anderson_kernels.hpp"

namespace cavity {

namespace {

constexpr double ridge = 1e-10;     // of unit vectors; the differences become collinear near the solution
constexpr double longest_step = 3;  // in units of the residual

std::size_t strips(std::size_t length) { return (length + kernels::strip - 1) / kernels::strip; }

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

/// For what changed since the last pair; none where there is no last one.
Anderson::Difference* Anderson::room_for_difference(std::size_t length) {
  const bool first = last_x_.empty();
  last_x_.resize(length);
  last_f_.resize(length);
  if (first) return nullptr;
  Difference room;
  if (history_.size() == memory_) {
    room = std::move(history_.front());
    history_.pop_front();
  }
  room.x.resize(length);
  room.f.resize(length);
  return &history_.emplace_back(std::move(room));
}

/// Returns the square of the length.
double Anderson::add_history(std::span<const double> gamma, double mixing, std::span<const double> weight,
                             std::span<double> out) const {
  std::vector<double> factor;
  for (const double share : gamma) factor.insert(factor.end(), {-share, mixing * -share});
  std::vector<double> squares(strips(out.size()));
  pool_.run(squares.size(), [&](std::size_t s) {
    const std::size_t first = s * kernels::strip, count = std::min(kernels::strip, out.size() - first);
    std::vector<const double*> vectors;
    for (const Difference& difference : history_)
      vectors.insert(vectors.end(), {difference.x.data() + first, difference.f.data() + first});
    kernels::add_scaled(vectors, factor, out.subspan(first, count));
    const double* step = out.data() + first;
    kernels::weighted_products({&step, 1}, weight.subspan(first, count), &squares[s]);
  });
  return std::accumulate(squares.begin(), squares.end(), 0.0);
}

void Anderson::step(std::span<const double> x, std::span<const double> f, std::span<const double> weight, double mixing,
                    bool accelerate, std::span<double> out) {
  Difference* const difference = room_for_difference(x.size());
  accelerate = accelerate && !history_.empty();
  const std::size_t vectors = history_.size() + 1, size = accelerate ? vectors * vectors : 0;
  std::vector<double> of_strip(strips(x.size()) * size);
  pool_.run(strips(x.size()), [&](std::size_t s) {
    const std::size_t first = s * kernels::strip, count = std::min(kernels::strip, x.size() - first);
    for (std::size_t i = first; i < first + count; ++i) {
      if (difference) {
        difference->x[i] = x[i] - last_x_[i];
        difference->f[i] = f[i] - last_f_[i];
      }
      last_x_[i] = x[i];
      last_f_[i] = f[i];
      out[i] = mixing * f[i];
    }
    if (!accelerate) return;
    std::vector<const double*> differences;
    for (const Difference& one : history_) differences.push_back(one.f.data() + first);
    differences.push_back(f.data() + first);
    kernels::weighted_products(differences, weight.subspan(first, count), &of_strip[s * size]);
  });
  if (!accelerate) return;

  const auto count = static_cast<Eigen::Index>(vectors);
  RowMatrix products = RowMatrix::Zero(count, count);
  for (std::size_t first = 0; first < of_strip.size(); first += size)
    products += RowMatrix::Map(&of_strip[first], count, count);
  shards_.sum({products.data(), static_cast<std::size_t>(products.size())});
  const Eigen::VectorXd gamma = nearest(products);
  if (!gamma.allFinite()) return;
  const double square = add_history({gamma.data(), history_.size()}, mixing, weight, out);
  const double length = std::sqrt(shards_.sum(square)), residual = std::sqrt(products(count - 1, count - 1));
  if (length > longest_step * residual)
    for (double& value : out) value *= longest_step * residual / length;
}

}  // namespace cavity
