// The activations against identities and an independent quadrature: no snapshots.
#include "model/activation.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <vector>

#include "cavity/errors.hpp"
#include "model/activation_kind.hpp"
#include "model/normal.hpp"
#include "model/normal_kernels.hpp"

namespace cavity {
namespace {

const std::vector<AnyActivation> activations = {step(0),
                                                step(1e-6),
                                                step(0.1),
                                                step(0.45),
                                                probit(0.01),
                                                probit(1),
                                                ThresholdActivation{1e-3, 0.5},
                                                ThresholdActivation{0.2, 0.05},
                                                ThresholdActivation{0.02, 30},
                                                LogisticActivation{0.02},
                                                LogisticActivation{0.7},
                                                LogisticActivation{20}};
const std::vector<double> standard_fields = {-30, -9, -3, -1, -0.1, 0, 0.1, 1, 3, 9, 30};
const std::vector<double> variances = {1e-4, 0.03, 1, 40};

template <class Check>
void for_each_point(Check check) {
  for (const auto& activation : activations)
    for (const double v : variances)
      for (const double z : standard_fields) {
        SCOPED_TRACE(to_string(activation) + " z " + std::to_string(z) + " V " + std::to_string(v));
        check(activation, z * std::sqrt(v), v);
      }
}

TEST(Activation, ProbabilitiesOfBothLabelsSumToOne) {
  for_each_point([](const AnyActivation& f, double d, double v) {
    EXPECT_NEAR(std::exp(tilt(f, d, v).log_g) + std::exp(tilt(f, -d, v).log_g), 1, 1e-13);
    EXPECT_NEAR(average_likelihood(f, d, v), std::exp(tilt(f, d, v).log_g), 1e-13);
  });
}

std::vector<double> wide_range() {
  std::vector<double> z = {0};
  for (double x = 1e-8; x < 1100; x *= 1.07) {
    z.push_back(x);
    z.push_back(-x);
  }
  return z;
}

TEST(Activation, VectorisedNormalTailEqualsBoost) {
  const auto z = wide_range();
  std::vector<double> got(z.size());
  kernels::log_normal_cdf(0, z, got);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const long double x = z[i] / std::sqrt(2.0L);
    // Beyond double's range of erfc: its asymptotic series, whose fifth term is below 1e-13 from z = 30 on.
    const long double y = 1 / (2 * x * x);
    const long double expected =
        z[i] > -30 ? (z[i] > 0 ? std::log1p(-boost::math::erfc(x) / 2) : std::log(boost::math::erfc(-x) / 2))
                   : -x * x - std::log(-2 * x * std::sqrt(std::acos(-1.0L))) +
                         std::log1p(-y + 3 * y * y - 15 * y * y * y + 105 * y * y * y * y);
    EXPECT_NEAR(got[i], static_cast<double>(expected), 1e-12 * std::abs(static_cast<double>(expected)) + 1e-300)
        << z[i];
  }
}

TEST(Activation, VectorisedFormsEqualTheScalarOne) {
  for (const auto& f : activations) {
    const double v = 0.7;
    std::vector<double> mean = wide_range(), a(mean.size()), b(mean.size()), ln(mean.size());
    for (auto& d : mean) d *= std::sqrt(v);
    tilt_slopes(f, mean, v, a, b);
    log_averages(f, mean, std::vector<double>(mean.size(), v), ln);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      SCOPED_TRACE(to_string(f) + " D " + std::to_string(mean[i]));
      const Tilt t = tilt(f, mean[i], v);
      EXPECT_NEAR(a[i], t.a, 1e-12 * t.a + 1e-300);
      EXPECT_NEAR(b[i], t.b, 1e-12 * t.a * (t.a + std::abs(mean[i]) / v) + 1e-300);
      EXPECT_NEAR(ln[i], t.log_g, 1e-12 * std::abs(t.log_g) + 1e-300);
    }
  }
}

TEST(Activation, DerivativesMatchFiniteDifferences) {
  for_each_point([](const AnyActivation& f, double d, double v) {
    const double h = 1e-3 * std::sqrt(v);
    const auto ln_g = [&](double x) { return tilt(f, x, v).log_g; };
    const auto slope = [&](double x) { return tilt(f, x, v).a; };
    const auto centred = [h](const auto& fn, double x) {
      return (8 * (fn(x + h) - fn(x - h)) - (fn(x + 2 * h) - fn(x - 2 * h))) / (12 * h);
    };
    const Tilt t = tilt(f, d, v);
    const double noise_a = 1e-11 * (1 + std::abs(t.log_g)) / std::sqrt(v);
    EXPECT_NEAR(t.a, centred(ln_g, d), noise_a + 1e-7 * std::abs(t.a));
    EXPECT_NEAR(t.b, centred(slope, d), 1e-9 * std::abs(t.a) / std::sqrt(v) + 1e-7 * std::abs(t.b));
    EXPECT_NEAR(t.shrink, 1 + v * t.b, 1e-10);
    EXPECT_GT(t.shrink, 0);
  });
}

TEST(Activation, AgreesWithAdaptiveQuadratureOfItsDefinition) {
  for (const auto& f : activations)
    for (const double v : variances)
      for (const double z : {-3.0, -0.5, 0.2, 2.5}) {
        const double d = z * std::sqrt(v);
        const auto integrand = [&](double u) { return normal_pdf(u) * likelihood(f, std::sqrt(v) * u + d); };
        using Rule = boost::math::quadrature::gauss_kronrod<double, 61>;
        const double bend = -z;  // where f turns
        const double g =
            Rule::integrate(integrand, -14.0, bend, 12, 1e-13) + Rule::integrate(integrand, bend, 14.0, 12, 1e-13);
        EXPECT_NEAR(average_likelihood(f, d, v), g, 1e-11);
      }
}

TEST(Activation, StaysAccurateInTheFarTails) {
  for (const auto& f : activations)
    for (const double z : {-1000.0, -300.0, -50.0, 50.0, 300.0, 1000.0})
      for (const double v : variances) {
        const Tilt t = tilt(f, z * std::sqrt(v), v);
        EXPECT_TRUE(std::isfinite(t.log_g) && std::isfinite(t.a) && std::isfinite(t.b));
        EXPECT_LE(t.log_g, 0);
        EXPECT_GE(t.a, 0);
        EXPECT_GT(t.shrink, 0);
      }
  // Noise-free step: ln Phi(-1000) = -500000 - ln(1000 sqrt(2 pi)) - 1e-6, a = r(-1000), shrink = 1/z^2 - 6/z^4.
  const Tilt t = step(0).tilt(-1000, 1);
  EXPECT_NEAR(t.log_g, -500000 - std::log(1000 / inv_sqrt_2pi) - 1e-6, 1e-9);
  EXPECT_NEAR(t.a, 1000 + 1e-3 - 2e-9, 1e-12);
  EXPECT_NEAR(t.shrink, 1e-6 - 6e-12, 1e-16);
}

// Direct formulas in long double; exact to double's digits where flips keep g away from 0.
Tilt slow_tilt(long double flip, long double width, long double mean, long double variance) {
  const long double total = variance + width * width, z = mean / std::sqrt(total), scale = 1 - 2 * flip;
  const long double above = flip + scale * 0.5L * std::erfc(-z / std::sqrt(2.0L));
  const long double below = flip + scale * 0.5L * std::erfc(z / std::sqrt(2.0L));
  const long double r = scale * std::exp(-0.5L * z * z) / std::sqrt(2 * std::acos(-1.0L)) / above;
  const long double b = -r * (z + r) / total;
  return {static_cast<double>(z > 0 ? std::log1p(-below) : std::log(above)), static_cast<double>(r / std::sqrt(total)),
          static_cast<double>(b), static_cast<double>(1 + variance * b)};
}

TEST(Activation, FlipsWithWidthLoseNoDigitsInTheTails) {
  for (const double flip : {1e-9, 0.001, 0.2})
    for (const double width : {0.0, 0.01, 1.0, 50.0})
      for (const double z : wide_range()) {
        SCOPED_TRACE(to_string(ThresholdActivation{flip, width}) + " z " + std::to_string(z));
        const double v = 0.7, d = z * std::sqrt(v);
        const Tilt t = tilt(make_activation(flip, width), d, v), slow = slow_tilt(flip, width, d, v);
        EXPECT_NEAR(t.log_g, slow.log_g, 1e-12 * std::abs(slow.log_g));
        EXPECT_NEAR(t.a, slow.a, 1e-11 * slow.a + 1e-300);  // exp(-z^2/2) itself has 1e-16 z^2
        EXPECT_NEAR(t.b, slow.b, 1e-11 * slow.a * (slow.a + std::abs(d) / (v + width * width)) + 1e-300);
        EXPECT_NEAR(t.shrink, slow.shrink, 1e-11 * std::max(1.0, slow.shrink));
      }
}

TEST(Activation, ThresholdTendsToStepAndProbit) {
  for (const double z : standard_fields) {
    const double v = 0.7, d = z * std::sqrt(v);
    const auto expect_close = [d](const Tilt& t, const Tilt& limit) {
      EXPECT_NEAR(t.log_g, limit.log_g, 1e-9 * std::abs(limit.log_g) + 2e-18);
      EXPECT_NEAR(t.a, limit.a, 1e-9 * limit.a + 1e-300);
      EXPECT_NEAR(t.b, limit.b, 1e-9 * limit.a * (1 + std::abs(d)) + 1e-300);
      EXPECT_NEAR(t.shrink, limit.shrink, 1e-9);
    };
    expect_close(ThresholdActivation{0.1, 1e-7}.tilt(d, v), step(0.1).tilt(d, v));
    expect_close(probit(1e-7).tilt(d, v), step(0).tilt(d, v));
    if (z > -5) expect_close(ThresholdActivation{1e-18, 0.4}.tilt(d, v), probit(0.4).tilt(d, v));
    EXPECT_DOUBLE_EQ((ThresholdActivation{0.1, 1e-7}.likelihood(d)), step(0.1).likelihood(d));
  }
}

TEST(Activation, LikelihoodsOfBothLabelsSumToOne) {
  for (const auto& f : activations)
    for (const double u : wide_range()) {
      SCOPED_TRACE(to_string(f) + " u " + std::to_string(u));
      EXPECT_NEAR(likelihood(f, u) + likelihood(f, -u), 1, 1e-15);
      EXPECT_NEAR(std::exp(log_likelihood(f, u)), likelihood(f, u), 1e-14);
    }
}

TEST(Activation, MillsRatioIsSmoothWhereItsFormChanges) {
  const MillsRatio above = mills_ratio(std::nextafter(-10.0, 0.0)), below = mills_ratio(-10.0);
  EXPECT_NEAR(above.ratio, below.ratio, 1e-13);
  EXPECT_NEAR(above.excess, below.excess, 1e-13);
  EXPECT_NEAR(above.shrink, below.shrink, 1e-12);
  EXPECT_NEAR(log_normal_cdf(std::nextafter(-10.0, 0.0)), log_normal_cdf(-10.0), 1e-12);
}

TEST(Activation, SmallNoiseLeavesTheStepNotLogConcave) {
  EXPECT_GT(step(0.1).tilt(-4, 1).b, 0);  // a strongly misclassified sample widens
}

TEST(Activation, VectorisedFormIsTheScalarOne) {
  const std::vector<double> mean = {-2, 0.3, 5}, variance = {0.1, 1, 3};
  std::vector<Tilt> out(3);
  for (const auto& f : activations) {
    tilt(f, mean, variance, out);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(out[i].a, tilt(f, mean[i], variance[i]).a);
    tilt(f, mean, std::span(variance).first(1), out);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(out[i].b, tilt(f, mean[i], variance[0]).b);
  }
}

TEST(Activation, RefusesNoiseOutOfRange) {
  for (const double bad : {-0.1, 0.5, 2.0, std::nan("")})
    EXPECT_THROW(make_activation(ActivationKind::step, bad), UsageError) << bad;
  for (const double bad : {-1.0, 0.0, std::nan("")}) {
    EXPECT_THROW(make_activation(ActivationKind::probit, bad), UsageError) << bad;
    EXPECT_THROW(make_activation(ActivationKind::logistic, bad), UsageError) << bad;
  }
  for (const double bad : {-0.1, 0.5, std::nan("")}) EXPECT_THROW(make_activation(bad, 1.0), UsageError) << bad;
  for (const double bad : {-1.0, HUGE_VAL, std::nan("")}) EXPECT_THROW(make_activation(0.1, bad), UsageError) << bad;
  EXPECT_THROW(parse_activation("relu"), UsageError);
}

}  // namespace
}  // namespace cavity
