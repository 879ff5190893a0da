// The place sampler against enumeration. Features that span a plane make this exact: a field is a_mu . t with t in the
// plane, t is Gaussian given the set of kept features, and a set's probability is an integral over the plane.
#include "sample/places.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <bit>

#include "model/normal.hpp"
#include "sample/place_folds.hpp"
#include "support/double_design.hpp"

namespace cavity {
namespace {

using test::DoubleDesign;

constexpr Eigen::Index grid = 71;  // points a side
constexpr double reach = 14;

/// Samples and features in a plane, two covariates in it, too, and labels drawn from the model: the first feature has
/// an axis for itself, the others share the second one and each other's direction.
struct Plane {
  Eigen::MatrixXd samples, features;  // rows a_mu; columns p_l: x_mu,l = a_mu . p_l
  Eigen::Matrix2d covariate;          // columns
  std::vector<std::int8_t> labels;
  double kept = 2, flip = 0.05, width = 1, precision = 1.5;

  Plane(std::size_t m, std::size_t n, std::uint64_t seed) {
    Random random(seed, 3);
    const auto normal = [&random] { return random.normal(); };
    samples = 0.8 * Eigen::MatrixXd::NullaryExpr(static_cast<Eigen::Index>(m), 2, normal);
    features = Eigen::MatrixXd::NullaryExpr(2, static_cast<Eigen::Index>(n), normal);
    features.row(0) *= 0.4;
    features.col(0) << 1.2, 0;
    covariate << 0.5, -0.2, 0.3, 0.6;
    const Eigen::Vector2d t(2.5, static_cast<double>(seed % 3) - 1);
    for (Eigen::Index mu = 0; mu < samples.rows(); ++mu)
      labels.push_back(random.bernoulli(likelihood(samples.row(mu).dot(t))) ? 1 : -1);
  }
  double likelihood(double field) const { return flip + (1 - 2 * flip) * normal_cdf(field); }
  Matrix design() const { return samples * features; }
  Covariates covariates() const { return {samples * covariate, {precision, precision}}; }
  double slab() const { return 1 / (width * width * kept); }
  /// Of t given the set of kept features.
  Eigen::Matrix2d covariance(std::uint32_t set) const {
    Eigen::Matrix2d out = covariate * covariate.transpose() / (precision * width * width);
    for (Eigen::Index l = 0; l < features.cols(); ++l)
      if (set >> l & 1) out += slab() * features.col(l) * features.col(l).transpose();
    return out;
  }
};

/// The plane by points. All functions here are analytic and fall off, so equal weights are exact.
struct Points {
  Eigen::ArrayXd x, y, likelihood;
  Eigen::MatrixXd positive;  // points x samples: P(+1)

  Points(const Plane& plane, const std::vector<bool>& known) : x(grid * grid), y(grid * grid) {
    const Eigen::ArrayXd side = Eigen::ArrayXd::LinSpaced(grid, -reach, reach);
    for (Eigen::Index i = 0; i < grid; ++i)
      for (Eigen::Index j = 0; j < grid; ++j) {
        x[i * grid + j] = side[i];
        y[i * grid + j] = side[j];
      }
    likelihood = Eigen::ArrayXd::Ones(grid * grid);
    positive = (x.matrix() * plane.samples.col(0).transpose() + y.matrix() * plane.samples.col(1).transpose())
                   .unaryExpr([&](double field) { return plane.likelihood(field); });
    for (std::size_t mu = 0; mu < known.size(); ++mu) {
      const auto column = positive.col(static_cast<Eigen::Index>(mu)).array();
      if (known[mu]) likelihood *= plane.labels[mu] > 0 ? Eigen::ArrayXd(column) : Eigen::ArrayXd(1 - column);
    }
  }
};

struct Truth {
  std::vector<double> inclusion, mean, square;  // a feature; of the weight beta
  std::vector<double> positive;                 // a sample: P(+1)
};

/// Sums over all sets; `known` are the samples whose labels count.
Truth enumerate(const Plane& plane, const std::vector<bool>& known) {
  const Points points(plane, known);
  const auto n = static_cast<std::size_t>(plane.features.cols());
  const double odds = plane.kept / (static_cast<double>(n) - plane.kept), slab = plane.slab();
  const double unit = plane.width * std::sqrt(plane.kept);
  Truth out{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n), {}};
  Eigen::ArrayXd total = Eigen::ArrayXd::Zero(points.x.size());
  for (std::uint32_t set = 0; set < 1U << n; ++set) {
    const Eigen::Matrix2d covariance = plane.covariance(set), inverse = covariance.inverse();
    const double prior = std::pow(odds, std::popcount(set)) / std::sqrt(covariance.determinant());
    const Eigen::ArrayXd mass = prior * points.likelihood *
                                (-0.5 * (inverse(0, 0) * points.x + 2 * inverse(0, 1) * points.y) * points.x -
                                 0.5 * inverse(1, 1) * points.y.square())
                                    .exp();
    total += mass;
    const double sum = mass.sum();
    for (std::size_t l = 0; l < n; ++l) {
      if (!(set >> l & 1)) continue;
      // b_l given t: mean g . t, variance slab - g . covariance . g
      const Eigen::Vector2d g = slab * inverse * plane.features.col(static_cast<Eigen::Index>(l));
      const Eigen::ArrayXd b = g[0] * points.x + g[1] * points.y;
      out.inclusion[l] += sum;
      out.mean[l] += unit * (mass * b).sum();
      out.square[l] += unit * unit * ((mass * b.square()).sum() + sum * (slab - g.dot(covariance * g)));
    }
  }
  for (auto* v : {&out.inclusion, &out.mean, &out.square})
    for (double& value : *v) value /= total.sum();
  for (Eigen::Index mu = 0; mu < points.positive.cols(); ++mu)
    out.positive.push_back((total * points.positive.col(mu).array()).sum() / total.sum());
  return out;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

TEST(Places, AgreeWithEnumeration) {
  ThreadPool pool(1);
  double spread = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Plane plane(20, 12, seed);
    const std::vector<bool> all(20, true);
    const Truth truth = enumerate(plane, all);
    const DoubleDesign design(plane.design());
    const Covariates covariates = plane.covariates();
    PlaceOptions options;
    options.draws = 10000;
    options.folds = 0;
    const PlaceResult result =
        sample_places({design, plane.labels, covariates, plane.kept, plane.flip, plane.width}, options, pool);
    const Posterior& p = result.posterior;
    std::cout << seed << " diff " << largest_difference(p.inclusion, truth.inclusion) << " " << largest_difference(p.mean, truth.mean) << " ess " << result.diagnostics.min_effective_draws << " " << p.residual << "\n";
    EXPECT_EQ(p.status, Status::converged);
    EXPECT_LT(largest_difference(p.inclusion, truth.inclusion), 0.01) << seed;
    EXPECT_LT(largest_difference(p.mean, truth.mean), 0.015) << seed;
    for (std::size_t l = 0; l < 12; ++l) {
      EXPECT_NEAR(p.variance[l], truth.square[l] - truth.mean[l] * truth.mean[l], 0.02);
      spread = std::max(spread, std::abs(truth.inclusion[l] - plane.kept / 12));
      std::cout << fmt::format("{} {}: {:.4f} {:.4f} mean {:.4f} {:.4f}\n", seed, l, truth.inclusion[l], p.inclusion[l],
                               truth.mean[l], p.mean[l]);
    }
  }
  EXPECT_GT(spread, 0.3);  // the labels say something
}

}  // namespace
}  // namespace cavity
