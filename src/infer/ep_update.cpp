#include "infer/ep_update.hpp"

#include <algorithm>
#include <cmath>

#include "assess/group_cavity.hpp"

namespace cavity {

namespace {

// Guards of single steps far from a solution. Ten times smaller or larger, all but the first change neither the updates
// nor the results of the grids of colon and leukemia, where no cell ends restricted.

// Of A_l in units of G: B_l = G + A_l stays positive, and well so. At -0.35 it binds at a solution: a cell of colon is
// left with a restricted fit.
constexpr double lowest_cavity = -0.7;
// Of a feature site, in units of 1/beta^2: the feature is out, and a larger tau would only cost digits of the joint
// Gaussian.
constexpr double highest_precision = 1e10;
// The least tau of a restricted fit, where negative ones are not allowed: no zero, so that 1/tau has a meaning.
constexpr double restricted_precision = 1e-3;
// The same for samples: the least -b V of a restricted fit.
constexpr double restricted_curvature = 1e-9;
// Of a tilted variance against its cavity, V/D^2 for samples far on the wrong side at noise 0: omega = -b/shrink would
// swamp all others.
constexpr double smallest_shrink = 1e-6;
// Of a cavity's precision against its marginal, 1 - S omega: rounding of S may leave it at or below 0.
constexpr double smallest_share = 1e-7;

// Sample sites of a cold start, in units of 1/C, the fields' prior precision: weak, but enough to feel the labels'
// curvature. 0.05: 340, 0.2: 315 updates of colon's grid against 316.
constexpr double cold_sample_precision = 0.1;
constexpr double smallest_variance = 1e-300;  // 1/variance must be finite where a feature is certainly out

double softplus(double k) { return std::max(k, 0.0) + std::log1p(std::exp(-std::abs(k))); }

// sqrt of a ratio of sums of squares; nothing against nothing is a perfect match, something against nothing none.
double relative(double difference, double size) {
  if (size > 0) return std::sqrt(difference / size);
  return difference > 0 ? 1 : 0;
}

}  // namespace

EpUpdate::EpUpdate(const Problem& problem, ThreadPool& pool, Precision precision)
    : prior(uninformed_prior(problem.density)),
      problem_(problem),
      n_(problem.design.features()),
      m_(problem.design.samples()),
      joint_(problem, pool, precision),
      tilts_(m_) {
  for (auto* v : {&sites_.tau, &sites_.nu, &inclusion_, &mean_, &variance_, &bounded_, &cavity_linear_}) v->resize(n_);
  for (auto* v : {&sites_.omega, &sites_.eta, &field_, &cavity_mean_, &cavity_variance_}) v->resize(m_);
}

std::vector<double> EpUpdate::pack(const EpState& state) const {
  std::vector<double> x;
  x.reserve(length());
  for (const auto* part : {&state.linear, &state.precision, &state.mean, &state.log_variance})
    x.insert(x.end(), part->begin(), part->end());
  return x;
}

EpState EpUpdate::unpack(std::span<const double> x) const {
  const auto part = [&x](std::size_t first, std::size_t count) {
    const auto s = x.subspan(first, count);
    return std::vector<double>(s.begin(), s.end());
  };
  return {part(0, n_), part(n_, n_), part(2 * n_, m_), part(2 * n_ + m_, m_), prior, problem_.density, {}};
}

bool EpUpdate::cold_start(std::span<double> x) {
  prior = uninformed_prior(problem_.density);
  std::fill(sites_.tau.begin(), sites_.tau.end(), 1 / problem_.density);
  std::fill(sites_.nu.begin(), sites_.nu.end(), 0);
  std::fill(sites_.omega.begin(), sites_.omega.end(), cold_sample_precision / problem_.density);
  std::fill(sites_.eta.begin(), sites_.eta.end(), 0);
  if (!joint_.solve(sites_, gaussian_)) return false;
  write_cavities(x);
  return true;
}

void EpUpdate::tilt_features(std::span<const double> x, const SiteSigns& signs) {
  std::copy_n(x.begin(), n_, cavity_linear_.begin());
  for (std::size_t l = 0; l < n_; ++l) bounded_[l] = std::max(x[n_ + l], lowest_cavity * prior.precision);
  const FeatureMessages messages{cavity_linear_, bounded_, {}, problem_.design.shards()};
  prior = solve_pruning(messages, {problem_.density, slab_is_solved(problem_.activation)}, prior).prior;
  pruned_moments(messages, prior, {inclusion_, mean_, variance_});
  for (std::size_t l = 0; l < n_; ++l) {
    variance_[l] = std::max(variance_[l], smallest_variance);
    double tau = std::min(1 / variance_[l] - bounded_[l], highest_precision);
    if (!signs.negative_features) tau = std::max(tau, restricted_precision);
    sites_.tau[l] = tau;
    sites_.nu[l] = mean_[l] * (tau + bounded_[l]) - cavity_linear_[l];
  }
}

void EpUpdate::tilt_samples(std::span<const double> x, const SiteSigns& signs) {
  for (std::size_t mu = 0; mu < m_; ++mu) {
    cavity_mean_[mu] = x[2 * n_ + mu];
    cavity_variance_[mu] = std::exp(x[2 * n_ + m_ + mu]);
  }
  tilt(problem_.activation, cavity_mean_, cavity_variance_, tilts_);
  for (std::size_t mu = 0; mu < m_; ++mu) {
    if (left_out && (*left_out)[mu]) {
      sites_.omega[mu] = sites_.eta[mu] = 0;
      field_[mu] = cavity_mean_[mu];
      continue;
    }
    double b = tilts_[mu].b;
    if (!signs.negative_samples) b = std::min(b, -restricted_curvature / cavity_variance_[mu]);
    const double shrink =
        std::max(b == tilts_[mu].b ? tilts_[mu].shrink : 1 + cavity_variance_[mu] * b, smallest_shrink);
    sites_.omega[mu] = -b / shrink;
    sites_.eta[mu] = (tilts_[mu].a - b * cavity_mean_[mu]) / shrink;
    field_[mu] = cavity_mean_[mu] + cavity_variance_[mu] * tilts_[mu].a;
  }
}

bool EpUpdate::operator()(std::span<const double> x, const SiteSigns& signs, std::span<double> next, bool for_newton) {
  tilt_features(x, signs);
  tilt_samples(x, signs);
  if (for_newton) choose_active();
  if (!joint_.solve(sites_, gaussian_, for_newton ? &active_ : nullptr)) return false;
  write_cavities(next);
  measure_residual(signs);
  return std::isfinite(residual_);
}

void EpUpdate::write_cavities(std::span<double> next) const {
  std::copy(gaussian_.cavity_linear.begin(), gaussian_.cavity_linear.end(), next.begin());
  std::copy(gaussian_.cavity_precision.begin(), gaussian_.cavity_precision.end(),
            next.begin() + static_cast<std::ptrdiff_t>(n_));
  for (std::size_t mu = 0; mu < m_; ++mu) {
    const double s = gaussian_.field_variance[mu];
    const double v = 1 / std::max(1 / s - sites_.omega[mu], smallest_share / s);
    next[2 * n_ + mu] = v * (gaussian_.field_mean[mu] / s - sites_.eta[mu]);
    next[2 * n_ + m_ + mu] = std::log(v);
  }
}

void EpUpdate::measure_residual(const SiteSigns& signs) {
  double field = 0, field_size = 0;
  double sums[4] = {};  // over the features of all processes
  auto& [mean, mean_size, variance, variance_size] = sums;
  const auto square = [](double d) { return d * d; };
  for (std::size_t l = 0; l < n_; ++l) {
    mean += square(mean_[l] - gaussian_.mean[l]);
    mean_size += square(mean_[l]);
    const bool matched = signs.negative_features || sites_.tau[l] > restricted_precision;
    if (matched) variance += square(variance_[l] - gaussian_.variance[l]);
    variance_size += square(variance_[l]);
  }
  problem_.design.shards().sum(sums);
  for (std::size_t mu = 0; mu < m_; ++mu) {
    field += square(field_[mu] - gaussian_.field_mean[mu]);
    field_size += square(gaussian_.field_mean[mu]);
  }
  residual_ = std::max({relative(mean, mean_size), relative(variance, variance_size), relative(field, field_size)});
}

// Scales that make the coordinates of x comparable: what a change does to a mean or a log variance.
void EpUpdate::coordinate_weights(std::span<double> out) const {
  // Every process has the samples: in a sum of squares over all processes they count once.
  const double once = 1 / std::sqrt(static_cast<double>(problem_.design.shards().ranks()));
  for (std::size_t l = 0; l < n_; ++l) {
    out[l] = std::sqrt(variance_[l]);
    out[n_ + l] = variance_[l];
  }
  for (std::size_t mu = 0; mu < m_; ++mu) {
    out[2 * n_ + mu] = once / std::sqrt(cavity_variance_[mu]);
    out[2 * n_ + m_ + mu] = once;
  }
}

// log Z of the EP approximation at its fixed point, for the normalised prior: kept with odds exp(lambda)/sqrt(G).
double EpUpdate::log_partition() const {
  double total = 0;
  for (std::size_t l = 0; l < n_; ++l) {
    const double b = prior.precision + bounded_[l], h = cavity_linear_[l];
    total += softplus(prior.log_odds - 0.5 * std::log(b) + h * h / (2 * b)) - softplus(slab_log_odds(prior));
    total += 0.5 * sites_.nu[l] * gaussian_.mean[l];
    total -=
        0.5 * gaussian_.mean[l] * gaussian_.mean[l] / gaussian_.variance[l] + 0.5 * std::log(gaussian_.variance[l]);
  }
  total = problem_.design.shards().sum(total) - 0.5 * gaussian_.log_determinant;
  for (std::size_t j = 0; j < problem_.covariates.count(); ++j)
    total += 0.5 * std::log(covariate_precision(problem_, j));
  for (std::size_t mu = 0; mu < m_; ++mu) {
    const double d = cavity_mean_[mu], v = cavity_variance_[mu], s = gaussian_.field_variance[mu];
    const double f = gaussian_.field_mean[mu];
    total += 0.5 * sites_.eta[mu] * f + tilts_[mu].log_g + 0.5 * d * d / v + 0.5 * std::log(v) - 0.5 * f * f / s -
             0.5 * std::log(s);
  }
  return total;
}

// To the prior that keeps exactly N C features with mean square 1: divide by the probability, to leading order in N,
// that the free prior does so, exp(-N KL(C||pi) - N C KL(N(0,1)||N(0,1/G))), pi = sigma(lambda - ln(G)/2).
double EpUpdate::density_correction() const {
  const double c = problem_.density, odds = slab_log_odds(prior), g = prior.precision;
  double divergence = c * std::log(c) + c * softplus(-odds);
  if (c < 1) divergence += (1 - c) * (std::log1p(-c) + softplus(odds));
  return static_cast<double>(problem_.design.total_features()) * (divergence + 0.5 * c * (g - 1 - std::log(g)));
}

Posterior EpUpdate::posterior() const {
  Posterior out;
  out.inclusion = inclusion_;
  out.mean = gaussian_.mean;
  out.variance = variance_;
  out.covariate_mean = gaussian_.covariate_mean;
  out.covariate_variance = gaussian_.covariate_variance;
  out.cavity_mean = cavity_mean_;
  out.cavity_variance = cavity_variance_;
  out.prior = prior;
  out.feature_site_precision = sites_.tau;
  out.sample_site_precision = sites_.omega;
  out.train_error = sign_error(gaussian_.field_mean);
  double sum = 0;
  for (const double v : cavity_variance_) sum += v;
  out.common_field_variance = sum / static_cast<double>(m_);
  out.log_partition = log_partition();
  out.log_evidence = out.log_partition + density_correction();
  if (problem_.groups)
    leave_groups_out(*problem_.groups, out);
  else
    leave_one_out(problem_.activation, out);
  return out;
}

void EpUpdate::leave_groups_out(const SampleGroups& groups, Posterior& out) const {
  std::vector<double> mean = cavity_mean_, variance = cavity_variance_;
  for (const auto& members : groups.members) {
    if (members.size() == 1) continue;
    const auto size = static_cast<Eigen::Index>(members.size());
    GroupFields fields{joint_.field_covariance(members), Eigen::VectorXd(size), Eigen::VectorXd(size),
                       Eigen::VectorXd(size)};
    for (Eigen::Index i = 0; i < size; ++i) {
      const std::size_t mu = members[static_cast<std::size_t>(i)];
      fields.mean[i] = gaussian_.field_mean[mu];
      fields.site_precision[i] = sites_.omega[mu];
      fields.site_linear[i] = sites_.eta[mu];
    }
    const GroupCavity cavity = group_cavity(fields);
    for (Eigen::Index i = 0; i < size; ++i) {
      mean[members[static_cast<std::size_t>(i)]] = cavity.mean[i];
      variance[members[static_cast<std::size_t>(i)]] = cavity.variance[i];
    }
  }
  leave_out(problem_.activation, mean, variance, out);
}

}  // namespace cavity
