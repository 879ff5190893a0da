// How the sites of an EP update answer a change of their cavities: the derivatives that Newton's step needs.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "infer/ep_update.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_active = 160;
constexpr double active_share = 0.999;      // of the sum of squared variances
constexpr std::size_t far_more = 4;         // samples than features
constexpr std::size_t most_samples = 1000;  // the system is dense in samples + active features

struct Site {
  double precision, linear;
};

// The site that turns the cavity (D, ln V) into the tilted moments.
Site sample_site(const AnyActivation& activation, double mean, double log_variance) {
  const double v = std::exp(log_variance);
  const Tilt t = tilt(activation, mean, v);
  return {-t.b / t.shrink, (t.a - t.b * mean) / t.shrink};
}

}  // namespace

// The system grows with the samples' square, an update of a table with fewer features than samples with the features':
// where these are far fewer, one step costs as much as ten updates or more.
bool EpUpdate::newton_possible() const {
  return m_ <= most_samples && m_ <= far_more * problem_.design.total_features();
}

// The features whose weight is least certain, and all whose site precision is split off by the joint Gaussian.
void EpUpdate::choose_active() {
  std::vector<std::size_t> order(n_);
  std::iota(order.begin(), order.end(), 0);
  const std::size_t most = std::min(n_, most_active);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [this](std::size_t a, std::size_t b) { return variance_[a] > variance_[b]; });
  const Shards& shards = problem_.design.shards();
  std::vector<double> leading;  // of all processes
  for (std::size_t i = 0; i < most; ++i) leading.push_back(variance_[order[i]]);
  leading = shards.join(leading);
  std::sort(leading.rbegin(), leading.rend());
  leading.resize(std::min(leading.size(), most_active));
  double total = 0, covered = 0;
  for (const double v : variance_) total += v * v;
  total = shards.sum(total);
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < leading.size() && covered < active_share * total; ++i) {
    smallest = leading[i];
    covered += smallest * smallest;
  }
  active_.features.clear();
  for (std::size_t l = 0; l < n_; ++l)
    if (variance_[l] >= smallest || sites_.tau[l] < split_precision) active_.features.push_back(l);
}

// tau = 1/v - A, nu = m/v - h. With e_k the moments of the tilted weight, at fixed odds:
//   dm = (e2 - e1^2) dh - (e3 - e1 e2)/2 dA,   de2 = (e3 - e1 e2) dh - (e4 - e2^2)/2 dA,   by lambda: e_k (1 - P).
FeatureResponse EpUpdate::feature_response(std::size_t l) const {
  const double b = prior.precision + bounded_[l], centre = cavity_linear_[l] / b, width = 1 / b;
  const double p = inclusion_[l], q = 1 - p, m = mean_[l], v = variance_[l];
  const double centre2 = centre * centre;
  const double e1 = p * centre, e2 = p * (width + centre2), e3 = p * centre * (centre2 + 3 * width);
  const double e4 = p * (centre2 * centre2 + 6 * centre2 * width + 3 * width * width);
  const auto respond = [&](double dm, double de2, double dh, double da) {
    const double dv = de2 - 2 * m * dm;
    return Site{-dv / (v * v) - da, dm / v - m * dv / (v * v) - dh};
  };
  const Site by_h = respond(e2 - e1 * e1, e3 - e1 * e2, 1, 0);
  const Site by_a = respond(-0.5 * (e3 - e1 * e2), -0.5 * (e4 - e2 * e2), 0, 1);
  const Site by_odds = respond(e1 * q, e2 * q, 0, 0);
  return {{by_h.precision, by_a.precision, by_h.linear, by_a.linear},
          by_odds.precision,
          by_odds.linear,
          e1 * q,
          -0.5 * e2 * q};
}

// By central differences: one rule for every activation.
SiteResponse EpUpdate::sample_response(std::size_t mu) const {
  const double d = cavity_mean_[mu], log_v = std::log(cavity_variance_[mu]);
  const double step = 1e-5, shift = step * std::sqrt(cavity_variance_[mu]);
  const auto& f = problem_.activation;
  const Site right = sample_site(f, d + shift, log_v), left = sample_site(f, d - shift, log_v);
  const Site wide = sample_site(f, d, log_v + step), narrow = sample_site(f, d, log_v - step);
  return {(right.precision - left.precision) / (2 * shift), (wide.precision - narrow.precision) / (2 * step),
          (right.linear - left.linear) / (2 * shift), (wide.linear - narrow.linear) / (2 * step)};
}

// One record a feature, so that those of all processes can be joined.
void EpUpdate::add_features(std::span<const double> f, NewtonSystem& system, std::vector<double>& reduced) const {
  struct Record {
    FeatureResponse response;
    double precision, linear, mean, first, second;
  };
  constexpr std::size_t length = sizeof(Record) / sizeof(double);
  static_assert(length * sizeof(double) == sizeof(Record));
  std::vector<Record> records;
  for (const std::size_t l : active_.features)
    records.push_back({feature_response(l), sites_.tau[l], sites_.nu[l], gaussian_.mean[l], f[l], f[n_ + l]});
  std::vector<double> flat(records.size() * length);
  if (!flat.empty()) std::memcpy(flat.data(), records.data(), flat.size() * sizeof(double));
  flat = problem_.design.shards().join(flat);
  records.resize(flat.size() / length);
  if (!flat.empty()) std::memcpy(records.data(), flat.data(), flat.size() * sizeof(double));
  for (const Record& r : records) {
    system.response.push_back(r.response.by_cavity);
    system.precision_by_odds.push_back(r.response.precision_by_odds);
    system.linear_by_odds.push_back(r.response.linear_by_odds);
    system.inclusion_by_first.push_back(r.response.inclusion_by_first);
    system.inclusion_by_second.push_back(r.response.inclusion_by_second);
    system.precision.push_back(r.precision);
    system.linear.push_back(r.linear);
    system.mean.push_back(r.mean);
    reduced.push_back(r.first);
    reduced.push_back(r.second);
  }
}

bool EpUpdate::newton_direction(std::span<const double> f, std::span<double> dx) const {
  NewtonSystem system;
  system.covariance = active_;
  system.active = active_.count;
  std::vector<double> reduced;
  add_features(f, system, reduced);
  for (std::size_t mu = 0; mu < m_; ++mu) {
    system.response.push_back(sample_response(mu));
    system.precision.push_back(sites_.omega[mu]);
    system.linear.push_back(sites_.eta[mu]);
    system.mean.push_back(gaussian_.field_mean[mu]);
    reduced.push_back(f[2 * n_ + mu]);
    reduced.push_back(f[2 * n_ + m_ + mu]);
  }
  if (problem_.density < 1)
    for (const double p : inclusion_) system.inclusion_by_odds += p * (1 - p);
  system.inclusion_by_odds = problem_.design.shards().sum(system.inclusion_by_odds);
  const std::vector<double> solution = newton_step(system, reduced);
  if (solution.empty()) return false;
  std::copy(f.begin(), f.end(), dx.begin());
  for (std::size_t i = 0; i < active_.features.size(); ++i) {
    dx[active_.features[i]] = solution[2 * (active_.first + i)];
    dx[n_ + active_.features[i]] = solution[2 * (active_.first + i) + 1];
  }
  for (std::size_t mu = 0; mu < m_; ++mu) {
    dx[2 * n_ + mu] = solution[2 * (system.active + mu)];
    dx[2 * n_ + m_ + mu] = solution[2 * (system.active + mu) + 1];
  }
  return true;
}

}  // namespace cavity
