// The place sampler against enumeration. Features that span a plane make this exact: a field is a_mu . t with t in the
// plane, t is Gaussian given the set of kept features, and a set's probability is an integral over the plane.
#include "infer/places.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <bit>
#include <numbers>

#include "cavity/errors.hpp"
#include "infer/place_sets.hpp"
#include "model/normal.hpp"
#include "support/double_design.hpp"
#include "support/errors.hpp"

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
  double kept = 2, flip, width, precision = 1.5;

  Plane(std::size_t m, std::size_t n, std::uint64_t seed)
      : flip(seed % 2 == 0 ? 0 : 0.05), width(seed % 3 == 0 ? 0.8 : 1) {
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
  double own(const struct Truth& truth, std::size_t mu) const;  // probability of its own label
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
  std::vector<double> covariate_mean;           // of gamma
  std::vector<double> positive;                 // a sample: P(+1)
  double log_evidence = 0;                      // of the known labels
};

/// Sums over all sets; `known` are the samples whose labels count.
Truth enumerate(const Plane& plane, const std::vector<bool>& known) {
  const Points points(plane, known);
  const auto n = static_cast<std::size_t>(plane.features.cols());
  const double odds = plane.kept / (static_cast<double>(n) - plane.kept), slab = plane.slab();
  const double unit = plane.width * std::sqrt(plane.kept);
  Truth out{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n), {0, 0}, {}, 0};
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
    const Eigen::Vector2d covariate = inverse * Eigen::Vector2d((mass * points.x).sum(), (mass * points.y).sum());
    for (Eigen::Index j = 0; j < 2; ++j)
      out.covariate_mean[static_cast<std::size_t>(j)] += unit / std::sqrt(static_cast<double>(n)) *
                                                         plane.covariate.col(j).dot(covariate) /
                                                         (plane.precision * plane.width * plane.width);
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
  const double spacing = 2 * reach / (grid - 1), none = 1 - plane.kept / static_cast<double>(n);
  out.log_evidence =
      std::log(total.sum() * spacing * spacing / (2 * std::numbers::pi)) + static_cast<double>(n) * std::log(none);
  for (auto* v : {&out.inclusion, &out.mean, &out.square, &out.covariate_mean})
    for (double& value : *v) value /= total.sum();
  for (Eigen::Index mu = 0; mu < points.positive.cols(); ++mu)
    out.positive.push_back((total * points.positive.col(mu).array()).sum() / total.sum());
  return out;
}

double Plane::own(const Truth& truth, std::size_t mu) const {
  return labels[mu] > 0 ? truth.positive[mu] : 1 - truth.positive[mu];
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

PlaceResult sample(const Plane& plane, const PlaceOptions& options) {
  ThreadPool pool(1);
  const DoubleDesign design(plane.design());
  const Covariates covariates = plane.covariates();
  return sample_places({design, plane.labels, covariates, plane.kept, plane.flip, plane.width}, options, pool);
}

TEST(Places, AgreeWithEnumeration) {
  double spread = 0;
  PlaceOptions options;
  options.draws = 9000;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Plane plane(20, 12, seed);
    const Truth truth = enumerate(plane, std::vector<bool>(20, true));
    const Posterior p = sample(plane, options).posterior;
    EXPECT_EQ(p.status, Status::converged);
    EXPECT_LT(largest_difference(p.inclusion, truth.inclusion), 0.01) << seed;
    EXPECT_LT(largest_difference(p.mean, truth.mean), 0.02) << seed;
    EXPECT_LT(largest_difference(p.covariate_mean, truth.covariate_mean), 0.01) << seed;
    for (std::size_t l = 0; l < 12; ++l) {
      EXPECT_NEAR(p.variance[l], truth.square[l] - truth.mean[l] * truth.mean[l], 0.04) << seed;
      spread = std::max(spread, truth.inclusion[l] - plane.kept / 12);
    }
  }
  EXPECT_GT(spread, 0.3);  // the labels say something
}

TEST(Places, LeaveOneOutEvidenceAndPredictionsAgreeWithEnumeration) {
  for (const std::uint64_t seed : {3, 5, 7}) {  // with flips
    const Plane plane(20, 8, seed);
    PlaceOptions options;
    options.draws = 2400;
    options.kept_draws = 10000;
    const PlaceResult result = sample(plane, options);
    const Truth all = enumerate(plane, std::vector<bool>(20, true));
    EXPECT_NEAR(result.posterior.log_evidence, all.log_evidence, 0.1) << seed;
    EXPECT_TRUE(result.left_out_known);
    for (std::size_t mu = 0; mu < 20; ++mu) {
      std::vector<bool> known(20, true);
      known[mu] = false;
      EXPECT_NEAR(std::exp(result.posterior.loo_log_probability[mu]), plane.own(enumerate(plane, known), mu), 0.02)
          << seed << " " << mu;
    }
    const std::vector<double> predicted =
        predict_places(result.draws, DoubleDesign(plane.design()), plane.covariates().values);
    EXPECT_LT(largest_difference(predicted, all.positive), 0.01) << seed;
  }
}

TEST(Places, AGroupIsLeftOutAsAWhole) {
  const Plane plane(20, 8, 5);
  const SampleGroups groups = gather_groups(std::vector<std::string>{"a", "b", "a", "c", "d", "d", "",  "", "b", "a",
                                                                     "c", "",  "d", "e", "e", "",  "f", "", "f", "c"});
  PlaceOptions options;
  options.draws = 4800;
  options.groups = &groups;
  const Posterior posterior = sample(plane, options).posterior;
  for (const std::vector<std::size_t>& members : groups.members) {
    std::vector<bool> known(20, true);
    for (const std::size_t mu : members) known[mu] = false;
    const Truth truth = enumerate(plane, known);
    for (const std::size_t mu : members)
      EXPECT_NEAR(std::exp(posterior.loo_log_probability[mu]), plane.own(truth, mu), 0.03) << mu;
  }
}

TEST(Places, AGroupThatTheDrawsKnowOnlyByItsLabelsIsNotLeftOut) {
  const Plane plane(60, 8, 5);
  const SampleGroups groups = gather_groups(std::vector<std::string>(60, "all"));
  PlaceOptions options;
  options.groups = &groups;
  EXPECT_FALSE(sample(plane, options).left_out_known);
}

/// Independent features; the third decides, but for every ninth sample, and the fourth is nearly its copy.
struct PlantedGene {
  Matrix x;
  std::vector<std::int8_t> labels;
  Covariates covariates;

  PlantedGene(std::size_t samples, std::size_t features, std::uint64_t seed) {
    Random random(seed, 8);
    x = Matrix::NullaryExpr(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(features),
                            [&random] { return random.normal(); });
    for (Eigen::Index mu = 0; mu < x.rows(); ++mu) {
      x(mu, 3) = x(mu, 2) + 0.1 * x(mu, 3);
      labels.push_back((x(mu, 2) > 0) != (mu % 9 == 4) ? 1 : -1);
    }
    covariates = {Matrix::Ones(x.rows(), 1), {10}};
  }
  PlaceProblem problem(const Design& design) const { return {design, labels, covariates, 1.5, 0.1, 0.3}; }
};

TEST(Places, APlantedGeneIsFoundWithItsCopyAndPredicts) {
  const PlantedGene planted(60, 300, 1), fresh(400, 300, 2);
  const DoubleDesign design(planted.x), rows(fresh.x);
  ThreadPool pool(1);
  const PlaceResult result = sample_places(planted.problem(design), {}, pool);
  const Posterior& p = result.posterior;
  EXPECT_GT(p.inclusion[2] + p.inclusion[3], 0.95);
  const std::vector<CredibleSet> sets = credible_sets(result.draws, design, {}, pool);
  ASSERT_FALSE(sets.empty());
  const CredibleSet& set = sets[0];
  EXPECT_GT(set.filled, 0.95);
  EXPECT_LE(set.features.size(), 2U);
  for (const std::uint32_t feature : set.features) EXPECT_TRUE(feature == 2 || feature == 3);
  EXPECT_LE(result.draws.count(), 200U);
  const std::vector<double> positive = predict_places(result.draws, rows, fresh.covariates.values);
  double wrong = 0;
  for (std::size_t mu = 0; mu < positive.size(); ++mu) wrong += (positive[mu] > 0.5) != (fresh.labels[mu] > 0);
  EXPECT_LT(wrong / 400, 0.18);  // a ninth is flipped
  EXPECT_NEAR(p.loo_error, wrong / 400, 0.12);
}

TEST(Places, RowsSampledTogetherSayWhatEachSaysAlone) {
  const PlantedGene planted(60, 40, 5);
  const DoubleDesign design(planted.x);
  ThreadPool pool(1);
  PlaceOptions options;
  options.draws = 3200;
  const PlaceProblem problem = planted.problem(design);
  const std::vector<double> kept = {3, 1.5};
  const std::vector<PlaceResult> together = sample_place_rows(problem, kept, options, pool);
  for (std::size_t row = 0; row < kept.size(); ++row) {
    PlaceProblem own = row_problem(problem, kept[row]);
    Covariates covariates = planted.covariates;  // in units of its own width, so that the prior is the same
    covariates.precision[0] *= problem.width * problem.width / (own.width * own.width);
    const PlaceResult alone =
        sample_places({design, own.labels, covariates, own.kept, own.flip, own.width}, options, pool);
    for (std::size_t l = 0; l < 40; ++l)
      EXPECT_NEAR(together[row].posterior.inclusion[l], alone.posterior.inclusion[l], 0.03) << row << " " << l;
    const auto places = [](const PlaceResult& result) {
      return static_cast<double>(result.draws.place.size()) / static_cast<double>(result.draws.count());
    };
    EXPECT_NEAR(places(together[row]), places(alone), 0.3);
  }
}

TEST(Places, ARowWhoseSetsAreRareIsStalled) {
  const PlantedGene planted(60, 40, 6);
  const DoubleDesign design(planted.x);
  ThreadPool pool(1);
  PlaceOptions options;
  const std::vector<PlaceResult> rows = sample_place_rows(planted.problem(design), {1.5, 39}, options, pool);
  EXPECT_EQ(rows[0].posterior.status, Status::converged);
  EXPECT_EQ(rows[1].posterior.status, Status::stalled);
}

TEST(Places, AreTheSameForAnyNumberOfThreads) {
  const PlantedGene planted(30, 50, 3);
  const DoubleDesign design(planted.x);
  PlaceOptions options;
  options.warm_up = 10;
  options.draws = 32;
  ThreadPool one(1), two(2);
  const PlaceResult a = sample_places(planted.problem(design), options, one);
  const PlaceResult b = sample_places(planted.problem(design), options, two);
  EXPECT_EQ(a.posterior.inclusion, b.posterior.inclusion);
  EXPECT_EQ(a.posterior.mean, b.posterior.mean);
  EXPECT_EQ(a.posterior.loo_log_probability, b.posterior.loo_log_probability);
  EXPECT_EQ(a.posterior.log_evidence, b.posterior.log_evidence);
  EXPECT_EQ(a.draws.place, b.draws.place);
  EXPECT_EQ(a.draws.factor, b.draws.factor);
}

TEST(Places, ARunThatHasNotMixedSaysSo) {
  const PlantedGene planted(30, 50, 3);
  const DoubleDesign design(planted.x);
  PlaceOptions options;
  options.warm_up = 0;
  options.draws = 32;
  options.r_hat_limit = 1.0001;
  ThreadPool pool(1);
  const PlaceResult result = sample_places(planted.problem(design), options, pool);
  EXPECT_EQ(result.posterior.status, Status::not_mixed);
  EXPECT_GT(result.posterior.residual, 0.0001);
}

TEST(Places, RefuseWhatTheyCannotDo) {
  const PlantedGene planted(12, 5, 3);
  const DoubleDesign design(planted.x);
  ThreadPool pool(1);
  const auto refused = [&](double kept, double flip, double width, const std::string& says) {
    const PlaceProblem problem{design, planted.labels, planted.covariates, kept, flip, width};
    test::expect_error<UsageError>([&] { sample_places(problem, {}, pool); }, {says});
  };
  refused(1, 0.1, 0, "width 0");
  refused(5, 0.1, 1, "5 of 5");
  refused(1, 0.5, 1, "flip 0.5");
  PlaceOptions options;
  options.draws = 0;
  test::expect_error<UsageError>([&] { sample_places(planted.problem(design), options, pool); }, {"0 draws"});
}

}  // namespace
}  // namespace cavity
