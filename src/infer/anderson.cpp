#include "infer/anderson.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace cavity {

namespace {

constexpr double ridge = 1e-10;     // of unit columns; the differences become collinear near the solution
constexpr double longest_step = 3;  // in units of the residual

using Array = Eigen::Map<const Eigen::ArrayXd>;
Array map(std::span<const double> v) { return {v.data(), static_cast<Eigen::Index>(v.size())}; }

}  // namespace

void Anderson::step(std::span<const double> x, std::span<const double> f, std::span<const double> weight, double mixing,
                    bool accelerate, std::span<double> out) {
  pairs_.push_back({{x.begin(), x.end()}, {f.begin(), f.end()}});
  if (pairs_.size() > memory_ + 1) pairs_.pop_front();
  Eigen::Map<Eigen::ArrayXd> result(out.data(), static_cast<Eigen::Index>(out.size()));
  result = mixing * map(f);
  const auto k = static_cast<Eigen::Index>(pairs_.size()) - 1;
  if (!accelerate || k < 1) return;

  const Array w = map(weight);
  const auto total = [this](Eigen::MatrixXd part) {
    shards_.sum({part.data(), static_cast<std::size_t>(part.size())});
    return part;
  };
  Eigen::MatrixXd df(static_cast<Eigen::Index>(f.size()), k);
  for (Eigen::Index i = 0; i < k; ++i) {
    const auto& a = pairs_[static_cast<std::size_t>(i)];
    const auto& b = pairs_[static_cast<std::size_t>(i) + 1];
    df.col(i) = (map(b.f) - map(a.f)) * w;
  }
  // Unit columns: late differences are orders of magnitude smaller than early ones and matter more.
  const Eigen::VectorXd size = total(df.colwise().squaredNorm().transpose()).cwiseSqrt().cwiseMax(1e-300);
  df = df * size.cwiseInverse().asDiagonal();
  Eigen::MatrixXd normal = total(df.transpose() * df);
  normal.diagonal().array() += ridge;
  const Eigen::VectorXd gamma = normal.ldlt().solve(total(df.transpose() * (map(f) * w).matrix())).cwiseQuotient(size);
  if (!gamma.allFinite()) return;
  for (Eigen::Index i = 0; i < k; ++i) {
    const auto& a = pairs_[static_cast<std::size_t>(i)];
    const auto& b = pairs_[static_cast<std::size_t>(i) + 1];
    result -= gamma[i] * ((map(b.x) - map(a.x)) + mixing * (map(b.f) - map(a.f)));
  }
  const double length = std::sqrt(shards_.sum((result * w).square().sum())),
               residual = std::sqrt(shards_.sum((map(f) * w).square().sum()));
  if (length > longest_step * residual) result *= longest_step * residual / length;
}

}  // namespace cavity
