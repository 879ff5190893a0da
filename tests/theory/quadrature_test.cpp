// The production rule against an adaptive Gauss-Kronrod rule that knows nothing of bends: geometric pieces, bisected
// until each is accurate.
#include "theory/quadrature.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <functional>

#include "fixed_point_state.hpp"
#include "model/normal.hpp"
#include "theory/channel.hpp"
#include "theory/feature_averages.hpp"
#include "theory/generalization.hpp"
#include "theory_grid.hpp"

namespace cavity {
namespace {

using namespace theory;
using Function = std::function<double(double)>;

double half_line(const Function& f) {
  double sum = 0, high = 14;
  for (int i = 0; i < 24; ++i) {
    const double low = i == 23 ? 0 : high / 3;
    sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate([&](double x) { return normal_pdf(x) * f(x); },
                                                                         low, high, 5, 1e-10);
    high = low;
  }
  return sum;
}
double gauss_average(const Function& f) {
  return half_line(f) + half_line([&](double x) { return f(-x); });
}

void expect_close(double value, double reference, const char* what) {
  EXPECT_NEAR(value, reference, 1e-9 * std::max(1e-3, std::abs(reference))) << what;
  EXPECT_NEAR(value / reference, 1, 1e-9) << what;
}

void check_channel(const Ensemble& e, const Overlaps& o) {
  const double slope = std::sqrt(o.power), c = o.alignment();
  const auto average = [&](auto term) {
    return 2 * e.ratio * gauss_average([&](double z) {
             const Tilt teacher = tilt(e.teacher, c * z, o.teacher_variance);
             const double t0 = std::exp(teacher.log_g);
             return t0 == 0 ? 0 : t0 * term(teacher, tilt(e.student, slope * z, o.student_variance));
           });
  };
  const ChannelAverages averages = channel_averages(e, o);
  expect_close(averages.hats.power_hat, average([](const Tilt&, const Tilt& s) { return s.a * s.a; }), "Qhat");
  expect_close(averages.hats.overlap_hat, average([](const Tilt& t, const Tilt& s) { return t.a * s.a; }), "Rhat");
  expect_close(averages.gamma, average([](const Tilt&, const Tilt& s) { return s.b; }), "Gamma");
  expect_close(averages.log_g, average([](const Tilt&, const Tilt& s) { return s.log_g; }), "ln g");
  expect_close(averages.b_squared, average([](const Tilt&, const Tilt& s) { return s.b * s.b; }), "b^2");
}

void check_features(const Ensemble& e, const Conjugates& hats, const PruningPrior& prior) {
  const double sd0 = std::sqrt(hats.power_hat), sd1 = std::hypot(sd0, hats.overlap_hat);
  using Term = std::function<double(double, const FeatureMoments&)>;
  const auto component = [&](double sd, const Term& term) {
    return 2 *
           half_line([&](double u) { return term(sd * u, pruned_moments(sd * u, prior.precision, prior.log_odds)); });
  };
  const auto average = [&](const Term& term) {
    return (e.teacher_density < 1 ? (1 - e.teacher_density) * component(sd0, term) : 0) +
           e.teacher_density * component(sd1, term);
  };
  const FeatureAverages f = feature_averages(e, hats, prior);
  expect_close(e.density, average([](double, const FeatureMoments& m) { return m.inclusion; }), "E P");
  expect_close(e.density, average([](double, const FeatureMoments& m) { return m.second; }), "E s");
  expect_close(f.overlaps.power, average([](double, const FeatureMoments& m) { return m.mean * m.mean; }), "Q");
  expect_close(f.overlaps.student_variance, average([](double, const FeatureMoments& m) { return m.variance; }), "v");
  expect_close(f.variance_squared, average([](double, const FeatureMoments& m) { return m.variance * m.variance; }),
               "(dm/dh)^2");
  const double overlap = e.teacher_density * hats.overlap_hat / (sd1 * sd1) *
                         component(sd1, [](double h, const FeatureMoments& m) { return h * m.mean; });
  expect_close(f.overlaps.overlap, overlap, "R");
  const auto softplus = [&](double h, const FeatureMoments&) {
    const double k = prior.log_odds - 0.5 * std::log(prior.precision) + 0.5 * h * h / prior.precision;
    return std::max(k, 0.0) + std::log1p(std::exp(-std::abs(k)));
  };
  const double whole =
      f.log_partition + e.density * prior.log_odds + 0.5 * e.teacher_density * sd1 * sd1 / prior.precision;
  expect_close(whole, average(softplus), "ln(1 + exp k)");
}

TEST(Quadrature, AgreesWithAnAdaptiveRuleOnTheGrid) {
  for (const TheoryPoint& point : whole_grid()) {
    SCOPED_TRACE(describe(point));
    const Ensemble e = make_ensemble(point);
    const ReplicaSolution s = replica_fixed_point(point);
    const Overlaps o = feature_averages(e, {s.overlap_hat, s.power_hat}, {s.precision, s.log_odds}).overlaps;
    check_channel(e, o);
    check_features(e, {s.overlap_hat, s.power_hat}, {s.precision, s.log_odds});
  }
}

TEST(Quadrature, AgreesAtTheEndsOfTheRange) {
  for (const double density : {1e-4, 1e-3})
    for (const double ratio : {0.01, 100.0})
      for (const double noise : {0.0, 1e-6, 0.05}) {
        const Perceptron truth{density, ActivationKind::step, noise};
        const TheoryPoint point{ratio, truth, truth};
        SCOPED_TRACE(describe(point));
        const Ensemble e = make_ensemble(point);
        const ReplicaSolution s = replica_fixed_point(point);
        ASSERT_TRUE(s.converged);
        check_channel(e, feature_averages(e, {s.overlap_hat, s.power_hat}, {s.precision, s.log_odds}).overlaps);
        check_features(e, {s.overlap_hat, s.power_hat}, {s.precision, s.log_odds});
      }
}

TEST(Quadrature, ErrorIsTheIntegralOfTheTeachersDoubt) {
  for (const TheoryPoint& point : whole_grid()) {
    SCOPED_TRACE(describe(point));
    const Ensemble e = make_ensemble(point);
    const ReplicaSolution s = replica_fixed_point(point);
    const auto error = [&](double power) {
      const double slope = s.overlap / std::sqrt(power), variance = e.teacher_density - slope * slope;
      return 2 * half_line([&](double z) { return average_likelihood(e.teacher, -slope * z, variance); });
    };
    EXPECT_NEAR(s.error_sbc, error(s.power), 1e-9);
    EXPECT_NEAR(s.error_gibbs, error(e.density), 1e-9);
  }
}

}  // namespace
}  // namespace cavity
