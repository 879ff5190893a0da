// One update (all samples and features in parallel), of which a share is taken (Shares):
//   V_mu = sum_l x_mu,l^2 v_l/N + covariates        D_mu = y_mu x_mu.m/sqrt(N) - V_mu a_mu      with the OLD a
//   a_mu, b_mu of the activation at (D_mu, V_mu)
//   A_l = -sum_mu x_mu,l^2 b_mu/N                   h_l = sum_mu y_mu x_mu,l a_mu/sqrt(N) + m_l A_l    with the OLD m
//   lambda from mean inclusion = C at B_l = 1 + A_l;  m, v of the pruning prior
// A covariate is one more feature with a Gaussian prior instead of the pruning one. Blocks of fixed size make every sum
// the same for any number of threads.
#include "infer/gamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "model/log_odds.hpp"
#include "model/own_slopes.hpp"

namespace cavity {

namespace {

constexpr std::size_t feature_block = 4096, sample_block = 256;
constexpr std::size_t message_block = 1024;  // features, where nothing is summed
constexpr double least_precision = -0.5;     // of A, in units of the prior's: B stays positive

std::size_t blocks_of(std::size_t length, std::size_t block) { return (length + block - 1) / block; }

// What the share is taken of, besides V and A: the means m, and after heavy damping the slopes a, which would fall out
// of step with them; or the fields D and h that both go through. For a small share a loop with eigenvalue z is stable
// where Re z < 1 in the first case and where Re sqrt(z) < 1 in the second, which is less: on random dense tables of
// 2500 x 4000 the second loses the sparse cells, and their error of 6.7 % is 9.5 %. On uneven tables the second is
// better: 400 text-like documents have an error of 17 to 18 % with it and of 19 % with the first.
struct Shares {
  Shares(bool even, double share)
      : field(even ? 1 : share), mean(even ? share : 1), slope(even && share <= 0.3 ? share : 1) {}
  double field, mean, slope;
};

// Share of each proposal that is taken, and whether there is still hope. Beyond some share, which no theory tells, the
// iteration runs away: each time it does, the share falls and stays below what was too much.
class Pace {
 public:
  Pace(double fixed, bool even) : share_(fixed > 0 ? fixed : 0.6), fixed_(fixed > 0), patience_(even ? 60 : 30) {}
  double share() const { return share_; }
  bool lost() const { return since_progress_ >= patience_; }
  void learn(double residual) {
    since_progress_ = residual < 0.9 * progress_ ? 0 : since_progress_ + 1;
    if (since_progress_ == 0) progress_ = residual;
    if (fixed_) return;
    since_lower_ = residual < 0.99 * lowest_ ? 0 : since_lower_ + 1;
    lowest_ = std::min(lowest_, residual);
    if (since_lower_ >= stuck) {
      most_ = std::max(0.7 * share_, smallest);
      share_ = std::max(0.6 * share_, smallest);
      lowest_ = residual;
      since_lower_ = 0;
    } else if (residual < last_) {
      share_ = std::min(1.03 * share_, most_);
    }
    last_ = residual;
  }

 private:
  static constexpr int stuck = 8;  // updates
  static constexpr double smallest = 0.05;
  double share_, most_ = 0.9;
  bool fixed_;
  int patience_;  // updates
  double last_ = std::numeric_limits<double>::infinity(), lowest_ = last_, progress_ = last_;
  int since_lower_ = 0, since_progress_ = 0;
};

class GampRun {
 public:
  GampRun(const Problem& problem, const SolverOptions& options, const GampStart& start, ThreadPool& pool);
  void run();
  GampResult result();

 private:
  double total_features() const { return static_cast<double>(problem_.design.total_features()); }
  double share() const { return started_ ? pace_.share() : 1; }  // there is nothing to keep before the first update
  Shares shares() const { return {problem_.design.even(), share()}; }
  double prior_precision(std::size_t j) const { return problem_.covariates.precision[j] / problem_.density; }
  void start_warm(const GampState& start);
  void start_cold();
  void update_samples();
  void react(std::size_t first, std::size_t last);
  void update_covariates();
  void update_messages();
  void solve_odds();
  double update_features();

  const Problem& problem_;
  const SolverOptions& options_;
  ThreadPool& pool_;
  const Precision precision_;
  GampState at_;
  Pace pace_;
  const std::vector<bool>* left_out_;
  bool started_;
  Status status_ = Status::stalled;
  int iteration_ = 0;
  double residual_ = std::numeric_limits<double>::infinity();
  std::vector<double> by_sample_, squares_by_sample_;    // products; then the reactions y a/sqrt(N), and -b/N
  std::vector<double> by_feature_, squares_by_feature_;  // products; then the evidence, and the means before
  std::vector<double> block_sums_;
};

GampRun::GampRun(const Problem& problem, const SolverOptions& options, const GampStart& start, ThreadPool& pool)
    : problem_(problem),
      options_(options),
      pool_(pool),
      precision_(precision_for(options)),
      pace_(options.share, problem.design.even()),
      left_out_(start.left_out),
      started_(start.state != nullptr) {
  const std::size_t n = problem.design.features(), m = problem.design.samples();
  if (start.state)
    start_warm(*start.state);
  else
    start_cold();
  for (auto* v : {&by_feature_, &squares_by_feature_}) v->resize(n);
  for (auto* v : {&by_sample_, &squares_by_sample_}) v->resize(m);
  block_sums_.resize(2 * blocks_of(n, feature_block));
}

// A precision near the least would be beyond it in the units of a sparser problem.
void GampRun::start_warm(const GampState& start) {
  at_ = rescaled(start, problem_.density);
  for (double& a : at_.precision) a = std::max(a, least_precision);
  for (std::size_t mu = 0; left_out_ && mu < at_.slope.size(); ++mu)
    if ((*left_out_)[mu]) at_.slope[mu] = 0;
}

void GampRun::start_cold() {
  const std::size_t n = problem_.design.features(), m = problem_.design.samples();
  for (auto* v : {&at_.mean, &at_.linear, &at_.precision}) v->assign(n, 0);
  for (auto* v : {&at_.slope, &at_.cavity_mean, &at_.cavity_variance}) v->assign(m, 0);
  at_.variance.assign(n, problem_.density);
  at_.log_odds = uninformed_prior(problem_.density).log_odds;
  at_.covariate_mean.assign(problem_.covariates.count(), 0);
  for (std::size_t j = 0; j < problem_.covariates.count(); ++j)
    at_.covariate_variance.push_back(1 / prior_precision(j));
  at_.density = problem_.density;
}

void GampRun::run() {
  for (bool running = true; running;) {
    ++iteration_;
    update_samples();
    update_covariates();
    update_messages();
    solve_odds();
    residual_ = update_features() / share();
    started_ = true;
    if (!std::isfinite(residual_)) {
      status_ = Status::diverged;
      return;
    }
    const bool go_on = !options_.observer || options_.observer({iteration_, residual_, pace_.share(), at_.mean});
    if (residual_ < options_.tolerance) status_ = Status::converged;
    pace_.learn(residual_);
    running = go_on && status_ != Status::converged && iteration_ < options_.max_iterations && !pace_.lost();
  }
}

void GampRun::update_samples() {
  problem_.design.times_both({at_.mean, at_.variance}, {by_sample_, squares_by_sample_}, pool_, precision_);
  const std::size_t m = by_sample_.size();
  pool_.run(blocks_of(m, sample_block),
            [&](std::size_t block) { react(block * sample_block, std::min(m, (block + 1) * sample_block)); });
}

void GampRun::react(std::size_t first, std::size_t last) {
  const double n = total_features(), root_n = std::sqrt(n), share = this->share();
  const double smallest = 1e-12 * problem_.density;
  const Shares of = shares();
  for (std::size_t mu = first; mu < last; ++mu) {
    double field = by_sample_[mu] / root_n, variance = squares_by_sample_[mu] / n;
    for (std::size_t j = 0; j < problem_.covariates.count(); ++j) {
      const double z = problem_.covariates.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
      field += z * at_.covariate_mean[j];
      variance += z * z * at_.covariate_variance[j];
    }
    double &d = at_.cavity_mean[mu], &v = at_.cavity_variance[mu];
    v = std::max(v + share * (variance - v), smallest);
    d += of.field * (problem_.labels[mu] * field - v * at_.slope[mu] - d);
  }
  const std::size_t count = last - first;
  std::array<double, sample_block> before;
  std::copy_n(&at_.slope[first], count, before.begin());
  own_slopes(problem_.activation, {&at_.cavity_mean[first], count}, {&at_.cavity_variance[first], count},
             {&at_.slope[first], count}, {&squares_by_sample_[first], count});
  for (std::size_t mu = first; mu < last; ++mu) {
    at_.slope[mu] = before[mu - first] + of.slope * (at_.slope[mu] - before[mu - first]);
    if (left_out_ && (*left_out_)[mu]) at_.slope[mu] = squares_by_sample_[mu] = 0;  // it says nothing
    by_sample_[mu] = problem_.labels[mu] * at_.slope[mu] / root_n;
    squares_by_sample_[mu] /= -n;
  }
}

// b0 <- (sum y z a + b0 A0)/(p + A0), A0 = -sum z^2 b: Newton's step, from the same a for all.
void GampRun::update_covariates() {
  for (std::size_t j = 0; j < problem_.covariates.count(); ++j) {
    const double prior = prior_precision(j);
    double precision = 0, gradient = -prior * at_.covariate_mean[j];
    for (std::size_t mu = 0; mu < problem_.labels.size(); ++mu) {
      const double z = problem_.covariates.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
      precision += z * z * squares_by_sample_[mu];
      gradient += problem_.labels[mu] * z * at_.slope[mu];
    }
    const double curvature = prior + std::max(total_features() * precision, least_precision * prior);
    at_.covariate_mean[j] += share() * gradient / curvature;
    at_.covariate_variance[j] = 1 / curvature;
  }
}

void GampRun::update_messages() {
  problem_.design.transpose_times_both({by_sample_, squares_by_sample_}, {by_feature_, squares_by_feature_}, pool_,
                                       precision_);
  const double share = this->share();
  const Shares of = shares();
  const std::size_t n = by_feature_.size();
  pool_.run(blocks_of(n, message_block), [&](std::size_t block) {
    const std::size_t first = block * message_block, last = std::min(n, first + message_block), count = last - first;
    for (std::size_t l = first; l < last; ++l) {
      double &a = at_.precision[l], &h = at_.linear[l];
      a += share * (std::max(squares_by_feature_[l], least_precision) - a);
      h += of.field * (by_feature_[l] + at_.mean[l] * a - h);
    }
    kernels::log_odds_evidence({&at_.linear[first], count}, {&at_.precision[first], count},
                               {&by_feature_[first], count});
  });
}

// As exactly as the means have settled: the fixed point does not depend on it.
void GampRun::solve_odds() {
  if (problem_.density >= 1) return;
  const double tolerance = std::clamp(1e-3 * residual_, 1e-13, 1e-6);
  const std::size_t n = by_feature_.size(), blocks = blocks_of(n, feature_block);
  at_.log_odds = solve_log_odds({problem_.density, total_features(), tolerance}, at_.log_odds, [&](double log_odds) {
    pool_.run(blocks, [&](std::size_t block) {
      const std::size_t first = block * feature_block, count = std::min(feature_block, n - first);
      const auto sums = kernels::inclusion_sums({&by_feature_[first], count}, log_odds);
      block_sums_[2 * block] = sums.inclusion;
      block_sums_[2 * block + 1] = sums.spread;
    });
    double all[] = {0, 0};
    for (std::size_t i = 0; i < 2 * blocks; ++i) all[i % 2] += block_sums_[i];
    problem_.design.shards().sum(all);
    return kernels::InclusionSums{all[0], all[1]};
  });
}

// Returns the relative length of the change of the means.
double GampRun::update_features() {
  std::swap(at_.mean, squares_by_feature_);
  const std::vector<double>& before = squares_by_feature_;
  const Shares of = shares();
  const std::size_t n = before.size(), blocks = blocks_of(n, feature_block);
  pool_.run(blocks, [&](std::size_t block) {
    const std::size_t first = block * feature_block, last = std::min(n, first + feature_block), count = last - first;
    kernels::own_moments({{&at_.linear[first], count}, {&at_.precision[first], count}, {&by_feature_[first], count}},
                         at_.log_odds, {{}, {&at_.mean[first], count}, {&at_.variance[first], count}});
    double change = 0, length = 0;
    for (std::size_t l = first; l < last; ++l) {
      at_.mean[l] = before[l] + of.mean * (at_.mean[l] - before[l]);
      change += (at_.mean[l] - before[l]) * (at_.mean[l] - before[l]);
      length += at_.mean[l] * at_.mean[l];
    }
    block_sums_[2 * block] = change;
    block_sums_[2 * block + 1] = length;
  });
  double change_and_length[] = {0, 0};
  for (std::size_t i = 0; i < 2 * blocks; ++i) change_and_length[i % 2] += block_sums_[i];
  problem_.design.shards().sum(change_and_length);
  return std::sqrt(change_and_length[0] / std::max(change_and_length[1], std::numeric_limits<double>::min()));
}

GampResult GampRun::result() {
  Posterior out;
  const std::size_t n = at_.mean.size(), samples = at_.slope.size();
  out.inclusion.resize(n);
  if (status_ != Status::diverged)
    kernels::own_moments({at_.linear, at_.precision, by_feature_}, at_.log_odds,
                         {out.inclusion, at_.mean, at_.variance});
  out.mean = at_.mean;
  out.variance = at_.variance;
  out.covariate_mean = at_.covariate_mean;
  out.covariate_variance = at_.covariate_variance;
  out.cavity_mean = at_.cavity_mean;
  out.cavity_variance = at_.cavity_variance;
  out.common_field_variance =
      std::accumulate(at_.cavity_variance.begin(), at_.cavity_variance.end(), 0.0) / static_cast<double>(samples);
  out.prior = {1, at_.log_odds};
  leave_one_out(problem_.activation, out);
  for (std::size_t mu = 0; mu < samples; ++mu)
    by_sample_[mu] = at_.cavity_mean[mu] + at_.cavity_variance[mu] * at_.slope[mu];
  out.train_error = sign_error(by_sample_);
  out.status = status_;
  out.iterations = iteration_;
  out.residual = residual_;
  return {std::move(out), std::move(at_)};
}

void check_start(const Problem& problem, const GampState& start) {
  const std::size_t features = start.mean.size(), samples = start.slope.size();
  if (features != problem.design.features() || samples != problem.design.samples() ||
      start.covariate_mean.size() != problem.covariates.count())
    throw std::invalid_argument(fmt::format("a start of {} samples, {} features and {} covariates for {} x {} with {}",
                                            samples, features, start.covariate_mean.size(), problem.design.samples(),
                                            problem.design.features(), problem.covariates.count()));
}

}  // namespace

GampResult fit_gamp(const Problem& problem, const SolverOptions& options, const GampStart& start, ThreadPool& pool) {
  check_problem(problem);
  if (start.state) check_start(problem, *start.state);
  GampRun run(problem, options, start, pool);
  run.run();
  return run.result();
}

}  // namespace cavity
