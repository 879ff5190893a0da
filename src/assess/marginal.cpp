#include "assess/marginal.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "assess/covariate_space.hpp"
namespace cavity {

namespace {

using Vector = Eigen::VectorXd;

constexpr std::size_t block = 256;  // features at a time

/// The sides, beyond the covariates.
struct Targets {
  Matrix basis;    // of the covariates, orthonormal
  Matrix columns;  // e, a column a class
  Vector squares;  // e.e
  double freedom;
};

Targets targets_of(const MarginalInput& input, std::span<const std::uint32_t> of_class) {
  const auto samples = static_cast<Eigen::Index>(input.classes.size());
  Targets out{
      covariate_basis(input.covariates), Matrix::Zero(samples, static_cast<Eigen::Index>(of_class.size())), {}, 0};
  out.freedom = static_cast<double>(samples - out.basis.cols() - 1);
  for (std::size_t k = 0; k < of_class.size(); ++k)
    for (Eigen::Index mu = 0; mu < samples; ++mu)
      out.columns(mu, static_cast<Eigen::Index>(k)) =
          input.classes[static_cast<std::size_t>(mu)] == of_class[k] ? 1 : 0;
  const Vector all = out.columns.colwise().squaredNorm();
  out.columns -= out.basis * (out.basis.transpose() * out.columns);
  out.squares = out.columns.colwise().squaredNorm();
  for (Eigen::Index k = 0; k < out.squares.size(); ++k)
    if (!(out.squares[k] > nothing_left * all[k])) out.squares[k] = 0;  // the covariates tell it
  return out;
}

MarginalFigures marginal_of(double product, double square, double left, double freedom) {
  MarginalFigures out;
  if (square == 0) return out;
  out.difference = product / square;
  const double rest = left - out.difference * out.difference * square;
  if (freedom <= 0) return out;
  const double infinite = std::copysign(std::numeric_limits<double>::infinity(), out.difference);
  out.t = rest > nothing_left * left ? out.difference * std::sqrt(square * freedom / rest) : infinite;
  return out;
}

/// Of some features, a row of classes each.
void judge_block(const MarginalInput& input, const Targets& targets, std::size_t first,
                 std::vector<std::vector<MarginalFigures>>& out) {
  std::vector<std::size_t> which(std::min(block, input.design.features() - first));
  std::iota(which.begin(), which.end(), first);
  Matrix x;
  input.design.columns(which, x);
  for (Eigen::Index mu = 0; mu < x.rows(); ++mu) x.row(mu) /= input.row_scale[static_cast<std::size_t>(mu)];
  const Vector all = x.colwise().squaredNorm();
  x -= targets.basis * (targets.basis.transpose() * x);
  const Vector left = x.colwise().squaredNorm();
  const Matrix products = x.transpose() * targets.columns;
  for (Eigen::Index l = 0; l < left.size(); ++l)
    for (std::size_t k = 0; left[l] > nothing_left * all[l] && k < out.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      out[k][first + static_cast<std::size_t>(l)] =
          marginal_of(products(l, column), targets.squares[column], left[l], targets.freedom);
    }
}

double two_sided_p(double t, double freedom) {
  namespace how = boost::math::policies;
  using StudentsT = boost::math::students_t_distribution<double, how::policy<how::promote_double<false>>>;
  if (std::isnan(t) || std::isinf(t)) return std::isnan(t) ? t : 0;
  return 2 * boost::math::cdf(boost::math::complement(StudentsT(freedom), std::abs(t)));
}

std::vector<MarginalFigures> joined(const Shards& shards, const std::vector<MarginalFigures>& own, double freedom) {
  std::vector<double> difference, t, p;
  for (const MarginalFigures& m : own) {
    difference.push_back(m.difference);
    t.push_back(m.t);
  }
  difference = shards.join(difference);
  t = shards.join(t);
  for (const double one : t) p.push_back(two_sided_p(one, freedom));
  const std::vector<double> q = false_discovery_rates(p);
  std::vector<MarginalFigures> out;
  for (std::size_t l = 0; l < t.size(); ++l) out.push_back({difference[l], t[l], q[l]});
  return out;
}

}  // namespace

std::vector<double> false_discovery_rates(const std::vector<double>& p) {
  std::vector<std::size_t> order;
  for (std::size_t l = 0; l < p.size(); ++l)
    if (!std::isnan(p[l])) order.push_back(l);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  std::vector<double> out(p.size(), std::numeric_limits<double>::quiet_NaN());
  double least = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto tests = static_cast<double>(order.size()), rank = static_cast<double>(order.size() - i);
    out[order[i]] = least = std::min(least, p[order[i]] * tests / rank);
  }
  return out;
}

std::vector<std::vector<MarginalFigures>> marginals(const MarginalInput& input, std::span<const std::uint32_t> of_class,
                                                    ThreadPool& pool) {
  const std::size_t samples = input.design.samples(), features = input.design.features();
  if (input.classes.size() != samples || input.row_scale.size() != samples ||
      static_cast<std::size_t>(input.covariates.rows()) != samples)
    throw std::invalid_argument("classes, row scales and covariates of other samples than the design's");
  const Targets targets = targets_of(input, of_class);
  std::vector<std::vector<MarginalFigures>> own(of_class.size(), std::vector<MarginalFigures>(features)), out;
  pool.run((features + block - 1) / block, [&](std::size_t b) { judge_block(input, targets, b * block, own); });
  for (const std::vector<MarginalFigures>& one : own)
    out.push_back(joined(input.design.shards(), one, targets.freedom));
  return out;
}

}  // namespace cavity
