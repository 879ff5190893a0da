// Kernels of the pruning prior, the normal tail and sampled places, against their formulas a feature at a time.
#include <algorithm>
#include <numeric>

#include "kernels/place_kernels.hpp"
#include "model/normal.hpp"
#include "model/normal_kernels.hpp"
#include "model/own_precision_kernels.hpp"
#include "model/pruning.hpp"
#include "simd_case.hpp"

namespace cavity::fuzz {
namespace {

/// A value whose rounding is that of `size`.
Sum about(double value, double size) { return {value, size}; }

struct Messages {
  double precision, log_odds;
  bool common;
  std::vector<double> linear, own;
  explicit Messages(Draw& draw, double slab = 0)
      : precision(slab > 0 ? slab : draw.between(0.1, 20)),
        log_odds(draw.between(-20, 20)),
        common(draw.byte() % 2 == 0) {
    const std::size_t n = draw.from_to(1, 40);
    linear = draw.between(-8, 8, n);
    own = draw.between(-0.8 * precision, 30, n);
  }
  double total(std::size_t l) const { return precision + (common ? 0 : own[l]); }
  double exponent(std::size_t l) const {
    return log_odds - 0.5 * std::log(total(l)) + 0.5 * linear[l] * linear[l] / total(l);
  }
  /// Exponents round alike, and what is e to their power by that much more.
  double size(std::size_t l) const { return 30 + linear[l] * linear[l] / total(l); }
  FeatureMessages view() const { return {linear, common ? std::span<const double>() : std::span<const double>(own)}; }
};

Case pruning_sums(Draw& draw) {
  const Messages m(draw);
  std::vector<Sum> sums(7);
  for (std::size_t l = 0; l < m.linear.size(); ++l) {
    const double b = m.total(l), ratio = m.linear[l] / b, k = m.exponent(l), size = m.size(l);
    const FeatureMoments f = cavity::pruned_moments(m.linear[l], b, m.log_odds);
    const double not_kept = cavity::pruned_moments(m.linear[l], b, m.log_odds - 2 * k).inclusion;
    const double slope = -0.5 * (1 / b + ratio * ratio), bend = (0.5 / b + ratio * ratio) / b;
    const double spread = f.inclusion * not_kept;
    const double values[] = {1,
                             f.inclusion,
                             f.second,
                             std::max(k, 0.0) + std::log1p(std::exp(-std::abs(k))),
                             spread,
                             spread * slope,
                             spread * slope * slope + f.inclusion * bend};
    const double sizes[] = {1, 1, 1 / b + ratio * ratio, size, 1, -slope, slope * slope + bend};
    for (std::size_t i = 0; i < 7; ++i) sums[i].value += values[i], sums[i].size += size * sizes[i];
  }
  return {[=] {
            const PruningSums s = cavity::pruning_sums(m.view(), {m.precision, m.log_odds});
            return std::vector<double>{s.count,  s.inclusion,    s.second,   s.softplus,
                                       s.spread, s.spread_slope, s.curvature};
          },
          sums, in_double};
}

std::vector<double> joined(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& c) {
  std::vector<double> out = a;
  out.insert(out.end(), b.begin(), b.end());
  out.insert(out.end(), c.begin(), c.end());
  return out;
}

/// Inclusions, means and variances.
std::vector<Sum> expected_moments(const Messages& m) {
  const std::size_t n = m.linear.size();
  std::vector<Sum> out(3 * n);
  for (std::size_t l = 0; l < n; ++l) {
    const FeatureMoments f = cavity::pruned_moments(m.linear[l], m.total(l), m.log_odds);
    const double ratio = std::abs(m.linear[l]) / m.total(l), size = m.size(l);
    out[l] = about(f.inclusion, size);
    out[n + l] = about(f.mean, size * ratio);
    out[2 * n + l] = about(f.variance, size * (1 / m.total(l) + ratio * ratio));
  }
  return out;
}

Case pruned_moments(Draw& draw) {
  const Messages m(draw);
  return {[=] {
            std::vector<double> inclusion(m.linear.size()), mean = inclusion, variance = inclusion;
            cavity::pruned_moments(m.view(), {m.precision, m.log_odds}, {inclusion, mean, variance});
            return joined(inclusion, mean, variance);
          },
          expected_moments(m), in_double};
}

Messages own_messages(Draw& draw) {
  Messages m(draw, 1);
  m.common = false;
  return m;
}

Case own_moments(Draw& draw) {
  const Messages m = own_messages(draw);
  return {[=] {
            std::vector<double> evidence(m.linear.size()), inclusion = evidence, mean = evidence, variance = evidence;
            kernels::log_odds_evidence(m.linear, m.own, evidence);
            kernels::own_moments({m.linear, m.own, evidence}, m.log_odds, {inclusion, mean, variance});
            return joined(inclusion, mean, variance);
          },
          expected_moments(m), in_double};
}

Case inclusion_sums(Draw& draw) {
  const Messages m = own_messages(draw);
  Sum inclusion, spread;
  for (std::size_t l = 0; l < m.linear.size(); ++l) {
    const double p = cavity::pruned_moments(m.linear[l], m.total(l), m.log_odds).inclusion, size = m.size(l);
    inclusion.value += p, inclusion.size += size;
    spread.value += p * (1 - p), spread.size += size;
  }
  return {[=] {
            std::vector<double> evidence(m.linear.size());
            kernels::log_odds_evidence(m.linear, m.own, evidence);
            const auto sums = kernels::inclusion_sums(evidence, m.log_odds);
            return std::vector<double>{sums.inclusion, sums.spread};
          },
          {inclusion, spread},
          in_double};
}

double drawn_noise(Draw& draw) { return draw.byte() % 2 == 0 ? 0 : draw.between(1e-6, 0.45); }

Case log_tail(Draw& draw) {
  const double noise = drawn_noise(draw);
  const auto z = draw.between(-30, 30, draw.from_to(0, 40));
  std::vector<Sum> out;
  for (const double x : z) {
    const double minor = noise + (1 - 2 * noise) * normal_cdf(-std::abs(x));
    const double value = x > 0 ? std::log1p(-minor) : noise > 0 ? std::log(minor) : log_normal_cdf(x);
    out.push_back(about(value, std::abs(value) * (1 + x * x)));  // exp(-z^2/2) rounds by z^2
  }
  return {[=] {
            std::vector<double> got(z.size(), 7);
            kernels::log_normal_cdf(noise, z, got);
            return got;
          },
          out, in_double};
}

Case tail_slopes(Draw& draw) {
  const double noise = drawn_noise(draw), variance = draw.between(0.01, 50), sd = std::sqrt(variance);
  auto mean = draw.between(-9, 9, draw.from_to(0, 40));
  for (double& x : mean) x *= sd;
  std::vector<Sum> a, b;
  for (const double x : mean) {
    const double z = x / sd, scale = 1 - 2 * noise;
    const double r = noise > 0 ? scale * normal_pdf(z) / (noise + scale * normal_cdf(z)) : mills_ratio(z).ratio;
    const double size = 1 + z * z;
    a.push_back(about(r / sd, size * (1 + r) / sd));
    b.push_back(about(-r * (z + r) / variance, size * (1 + r) * (1 + std::abs(z) + r) / variance));
  }
  a.insert(a.end(), b.begin(), b.end());
  return {[=] {
            std::vector<double> slope(mean.size(), 7), bend = slope;
            kernels::normal_slopes(noise, mean, variance, slope, bend);
            return joined(slope, bend, {});
          },
          a, in_double};
}

struct Places {
  std::size_t size, n;
  double slab;
  std::vector<std::vector<double>> products;
  std::vector<double> root, score, linear, square;
  explicit Places(Draw& draw) : size(draw.from_to(0, 5)), n(draw.from_to(0, 40)), slab(draw.between(0.01, 10)) {
    for (std::size_t k = 0; k < size; ++k) products.push_back(draw.between(-1, 1, n));
    root = draw.between(-0.25, 0.25, size * size);
    for (std::size_t k = 0; k < size; ++k) root[k * size + k] = draw.between(1, 2);
    score = draw.between(-3, 3, size);
    linear = draw.between(-20, 20, n);
    square = draw.between(40, 60, n);
  }
};

Case place_moments(Draw& draw) {
  const Places p(draw);
  std::vector<Sum> mean, variance, exponent;
  for (std::size_t l = 0; l < p.n; ++l) {
    std::vector<double> w(p.size);
    double a = p.linear[l], c = p.square[l];
    for (std::size_t k = 0; k < p.size; ++k) {
      w[k] = p.products[k][l];
      for (std::size_t j = 0; j < k; ++j) w[k] -= p.root[k * p.size + j] * w[j];
      w[k] /= p.root[k * p.size + k];
      c -= w[k] * w[k];
      a -= w[k] * p.score[k];
    }
    const double spread = p.slab / (1 + p.slab * c), size = 10 * spread * (std::abs(p.linear[l]) + 30);
    mean.push_back(about(spread * a, size));
    variance.push_back(about(spread, 10 * spread));
    exponent.push_back(about(0.5 * spread * a * a, size * (std::abs(p.linear[l]) + 30)));
  }
  mean.insert(mean.end(), variance.begin(), variance.end());
  mean.insert(mean.end(), exponent.begin(), exponent.end());
  return {[=] {
            std::vector<const double*> products;
            for (const auto& column : p.products) products.push_back(column.data());
            std::vector<double> m = p.linear, v = p.square, e(p.n, 7);
            kernels::place_moments({p.size, products.data(), p.root.data(), p.score.data(), p.slab}, m, v, e);
            return joined(m, v, e);
          },
          mean, in_double};
}

Case place_factors(Draw& draw) {
  const std::size_t n = draw.from_to(0, 40);
  const double sharpness = draw.between(0, 2), largest = draw.between(0, 50), unit = draw.between(0.1, 10);
  auto exponent = draw.between(-200, 0, n);
  for (double& e : exponent) e += largest;
  const auto variance = draw.between(0.001, 10, n);
  std::vector<Sum> out(1);
  for (std::size_t l = 0; l < n; ++l) {
    const double power = sharpness * (exponent[l] - largest);
    const double factor = std::exp(power) * std::sqrt(variance[l] * unit);
    out.push_back(about(factor, factor * (1 - power)));
    out[0].value += factor;
    out[0].size += factor * (1 - power);
  }
  return {[=] {
            std::vector<double> factors = exponent;
            const double sum = kernels::place_factors(sharpness, largest, unit, variance, factors);
            factors.insert(factors.begin(), sum);
            return factors;
          },
          out, in_double};
}

}  // namespace

std::vector<MakeCase> prior_cases() {
  return {pruning_sums, pruned_moments, own_moments,   inclusion_sums,
          log_tail,     tail_slopes,    place_moments, place_factors};
}

}  // namespace cavity::fuzz
