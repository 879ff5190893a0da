#include "theory/feature_averages.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "model/normal.hpp"
#include "theory/quadrature.hpp"

namespace cavity::theory {

namespace {

// In units of sqrt A the inclusion is sigma(k0 + t^2/2), k0 = lambda - (1/2) ln A: its nearest pole, where k = i pi.
// For a sparse prior this is the soft threshold t = sqrt(-2 k0), of width 1/t.
Bend inclusion_pole(const PruningPrior& prior) {
  const double k0 = prior.log_odds - 0.5 * std::log(prior.precision);
  const std::complex<double> pole = std::sqrt(std::complex<double>(-2 * k0, 2 * std::numbers::pi));
  return {pole.real(), pole.imag()};
}

// Nodes of |h| for one component of standard deviation sd; the integrands are even.
void add_component(Nodes& nodes, double sd, const PruningPrior& prior, double mass) {
  if (mass == 0) return;
  const Bend pole = inclusion_pole(prior);
  const double unit = std::sqrt(prior.precision) / sd;
  const Bend bend{pole.centre * unit, pole.distance * unit};
  const double far = std::hypot(gauss_range, std::min(bend.centre, 25.0));  // the tail counts against the threshold's
  const std::size_t first = nodes.x.size();
  add_gauss_panels(nodes, 0, far, std::span(&bend, 1), 2 * mass);
  for (std::size_t i = first; i < nodes.x.size(); ++i) nodes.x[i] *= sd;
}

struct FieldNodes {
  Nodes nodes;
  std::size_t second;  // where the teacher's features begin
};

double teacher_field_variance(const Conjugates& hats) { return hats.power_hat + hats.overlap_hat * hats.overlap_hat; }

FieldNodes field_nodes(const Ensemble& ensemble, const Conjugates& hats, const PruningPrior& prior) {
  FieldNodes field;
  add_component(field.nodes, std::sqrt(hats.power_hat), prior, 1 - ensemble.teacher_density);
  field.second = field.nodes.x.size();
  add_component(field.nodes, std::sqrt(teacher_field_variance(hats)), prior, ensemble.teacher_density);
  return field;
}

// The prior in the limit of strong fields: the fraction C of largest |h| is kept, all else is pruned.
PruningPrior sharp_prior(const Ensemble& ensemble, const Conjugates& hats) {
  const double ct = ensemble.teacher_density, c = ensemble.density;
  const double sd0 = std::sqrt(hats.power_hat), sd1 = std::sqrt(teacher_field_variance(hats));
  double low = 0, high = 40 * sd1;
  for (int i = 0; i < 100; ++i) {
    const double h = 0.5 * (low + high);
    const double kept = 2 * ((1 - ct) * normal_cdf(-h / sd0) + ct * normal_cdf(-h / sd1));
    (kept > c ? low : high) = h;
  }
  const auto tail_square = [&](double sd) {
    return 2 * sd * sd * (low / sd * normal_pdf(low / sd) + normal_cdf(-low / sd));
  };
  const double square = ((1 - ct) * tail_square(sd0) + ct * tail_square(sd1)) / c;
  const double precision = 0.5 * (1 + std::sqrt(1 + 4 * square));
  return {precision, 0.5 * std::log(precision) - 0.5 * low * low / precision};
}

bool same_layout(const PruningPrior& one, const PruningPrior& two) {
  const Bend a = inclusion_pole(one), b = inclusion_pole(two);
  return std::abs(a.centre - b.centre) < 0.2 * std::min(a.distance, b.distance) &&
         std::abs(std::log(one.precision / two.precision)) < 0.2;
}

// ln(1 + exp k) - lambda C, less its large part h^2/(2A) where `reduced`. The terms are sorted so that nothing large
// cancels: at density 1, where lambda stands for infinity, lambda drops out.
double log_partition(double h, const PruningPrior& prior, double density, bool reduced) {
  const double half_log = 0.5 * std::log(prior.precision), square = 0.5 * h * h / prior.precision;
  const double k = prior.log_odds - half_log + square, rest = std::log1p(std::exp(-std::abs(k)));
  if (k > 0) return (1 - density) * prior.log_odds - half_log + rest + (reduced ? 0 : square);
  return rest - density * prior.log_odds - (reduced ? square : 0);
}

}  // namespace

PruningPrior solve_field_pruning(const Ensemble& ensemble, const Conjugates& hats, const PruningPrior& start) {
  PruningPrior prior = start;
  bool restarted = false;
  // The panels need the threshold that the solve finds: lay out, solve, and again until it stays in its panels.
  for (int pass = 0; pass < 50; ++pass) {
    const FieldNodes field = field_nodes(ensemble, hats, prior);
    const FeatureMessages messages{field.nodes.x, {}, field.nodes.weight};
    const PruningSolution solution = solve_pruning(messages, {ensemble.density}, prior);
    if (!(solution.mismatch < 1e-6) && !restarted) {  // too far off, on panels too coarse: start from the other end
      restarted = true;
      prior = sharp_prior(ensemble, hats);
      continue;
    }
    const bool settled = same_layout(solution.prior, prior);
    prior = solution.prior;
    if (settled) break;
  }
  return prior;
}

FeatureAverages feature_averages(const Ensemble& ensemble, const Conjugates& hats, const PruningPrior& prior) {
  const auto [nodes, second] = field_nodes(ensemble, hats, prior);
  const std::size_t n = nodes.x.size();
  std::vector<double> mean(n), variance(n);
  pruned_moments(FeatureMessages{nodes.x, {}, nodes.weight}, prior, {{}, mean, variance});

  const double field_variance = teacher_field_variance(hats);
  const double slope = hats.overlap_hat / field_variance;  // E[w_o | h] = slope h on the teacher's features
  FeatureAverages averages;
  Overlaps& o = averages.overlaps;
  for (std::size_t i = 0; i < n; ++i) {
    const double w = nodes.weight[i];
    o.power += w * mean[i] * mean[i];
    o.student_variance += w * variance[i];
    if (i >= second) o.overlap += w * slope * nodes.x[i] * mean[i];
    averages.variance_squared += w * variance[i] * variance[i];
    averages.log_partition += w * log_partition(nodes.x[i], prior, ensemble.density, i >= second);
  }
  const double scale = o.power > 0 ? o.overlap / o.power : 0;
  o.teacher_variance = ensemble.teacher_density * hats.power_hat / field_variance;  // var[w_o | h]
  for (std::size_t i = 0; i < n; ++i) {
    const double gap = (i >= second ? slope * nodes.x[i] : 0) - scale * mean[i];
    o.teacher_variance += nodes.weight[i] * gap * gap;
  }
  return averages;
}

}  // namespace cavity::theory
