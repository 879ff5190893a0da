// One update (math in the order of the code; all samples and features in parallel), V = C - Q:
//   D_mu = y_mu x_mu.m/sqrt(N) - V a_mu          cavity field, with the OLD a
//   a_mu <- a(D_mu; V),  Gamma = (1/N) sum_mu b(D_mu; V)
//   h_l  = (1/sqrt(N)) sum_mu y_mu x_mu,l a_mu - Gamma m_l      with the OLD m
//   (A, lambda) from the pruning conditions on h;  m_l <- P_l h_l/A,  Q <- mean m^2
// Memory traffic: the matrix once, by Design::sweep, or once for many runs, by Design::sweep_many. Without damping it
// follows state evolution step by step on random data; on correlated data damping of m and a settles it, at a biased
// fixed point: use EP there. Covariates are few and always kept: one Gaussian update each from the same a and b.
#include "infer/amp.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <memory>

namespace cavity {

namespace {

// Share of each proposal that is taken. A decaying oscillation rises now and then: what counts is progress over a
// window. With these constants 24 of 24 and 26 of 28 cells of the default grids of colon and leukemia settle, in 1073
// and 1484 updates. With others:
//   window 8: half of it takes an oscillation for no progress, 21 and 23 cells settle; 16: 24 and 27
//   0.1 of the share, what a window must gain: a small share moves little. 0.05: no change; 0.2: 23 and 25
//   4 times the lowest: a runaway, which no window need confirm. 2: 24 and 25; 8: 24 and 27
//   0.5, of the share from then on: a quarter freezes runs before they settle, 20 and 19; without, 0 and 4
//   20 calm updates before the share grows: 10 gives 23 and 26; 40: no change
//   1.25, the growth: without, 23 and 25, and up to a fifth more updates; 1.6: no change
//   smallest 0.02: a run that oscillates even so is left to Patience. Half and twice: no change
class Damping {
 public:
  explicit Damping(double fixed) : share_(fixed > 0 ? fixed : 1), fixed_(fixed > 0) {}
  double share() const { return share_; }
  void learn(double residual) {
    if (fixed_) return;
    lowest_ = std::min(lowest_, residual);
    if (recent_.size() == window) recent_.pop_front();
    const bool stuck = recent_.size() == window - 1 && residual > (1 - 0.1 * share_) * recent_.front();
    recent_.push_back(residual);
    if (stuck || residual > 4 * lowest_) {
      share_ = std::max(0.5 * share_, smallest);
      recent_.clear();
      lowest_ = residual;
      calm_ = 0;
    } else if (++calm_ >= 20) {
      share_ = std::min(1.0, 1.25 * share_);
      calm_ = 0;
    }
  }

 private:
  static constexpr std::size_t window = 8;
  static constexpr double smallest = 0.02;
  double share_;
  bool fixed_;
  std::deque<double> recent_;
  double lowest_ = std::numeric_limits<double>::infinity();  // since the last change of the share
  int calm_ = 0;
};

// No progress for so long that there will be none: 40 updates without a residual a tenth below the best are more than a
// change of damping takes to show. 20 and 80 settle the same cells of the grids above; they only end the others sooner
// or later.
class Patience {
 public:
  bool lost(double residual) {
    if (residual < 0.9 * best_) {
      best_ = residual;
      since_ = 0;
    }
    return ++since_ > updates;
  }

 private:
  static constexpr int updates = 40;
  double best_ = std::numeric_limits<double>::infinity();
  int since_ = 0;
};

// One run. An update is: the products of its weights with the samples through `react`, their sums into `messages`,
// `finish`; until it is no longer running.
class AmpRun {
 public:
  AmpRun(const Problem& problem, const SolverOptions& options)
      : problem_(problem), options_(options), damping_(options.share), prior_(uninformed_prior(problem.density)) {
    check_problem(problem);
    for (auto* v : {&m_, &h_, &proposal_}) v->assign(problem.design.features(), 0);
    for (auto* v : {&a_, &field_, &slope_}) v->assign(problem.design.samples(), 0);
    for (auto* v : {&gamma_, &gamma_variance_}) v->assign(problem.covariates.count(), 0);
  }

  bool running() const { return running_; }
  std::span<const double> weights() const { return m_; }
  std::span<double> messages() { return h_; }  // X^T of the reactions goes here

  /// The reactions of some samples to their products x_mu . m, both `stride` apart; they may take their places.
  void react(std::size_t first, std::size_t count, const double* products, std::size_t stride, double* reactions);
  void finish();
  Posterior posterior() const;

 private:
  double total_features() const { return static_cast<double>(problem_.design.total_features()); }
  FeatureMessages feature_messages() const { return {h_, {}, {}, problem_.design.shards()}; }
  // Q reaches C only where the weights are certain; V must stay positive for the activation's averages.
  double samples_variance() const { return std::max(problem_.density - power_, 1e-12 * problem_.density); }
  double covariate_field(std::size_t mu) const;
  void update_covariates();
  double propose();
  void accept();

  Problem problem_;
  const SolverOptions& options_;
  Damping damping_;
  Patience patience_;
  std::vector<double> m_, a_, field_, slope_, h_, proposal_;
  std::vector<double> gamma_, gamma_variance_;  // covariates
  PruningPrior prior_;
  double power_ = 0;  // Q
  bool running_ = true;
  Status status_ = Status::stalled;
  int iteration_ = 0;
  double residual_ = std::numeric_limits<double>::infinity();
};

double AmpRun::covariate_field(std::size_t mu) const {
  double sum = 0;
  for (std::size_t j = 0; j < problem_.covariates.count(); ++j)
    sum += problem_.covariates.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j)) * gamma_[j];
  return problem_.labels[mu] * sum;
}

void AmpRun::react(std::size_t first, std::size_t count, const double* products, std::size_t stride,
                   double* reactions) {
  const double root_n = std::sqrt(total_features()), v = samples_variance();
  // After heavy damping of m, a must be damped as well or the two fall out of step; light damping of both hurts. The
  // limit 0.6 costs 5 and 1 of the cells of colon and leukemia; 0.15 gains none and 1.
  const double share = damping_.share() > 0.3 ? 1 : damping_.share();
  constexpr std::size_t most = 64;
  double target[most];
  for (std::size_t done = 0; done < count; done += most) {
    const std::size_t start = first + done, n = std::min(most, count - done);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t mu = start + i;
      field_[mu] = problem_.labels[mu] * products[(done + i) * stride] / root_n + covariate_field(mu) - v * a_[mu];
    }
    tilt_slopes(problem_.activation, {&field_[start], n}, v, {target, n}, {&slope_[start], n});
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t mu = start + i;
      a_[mu] += share * (target[i] - a_[mu]);
      reactions[(done + i) * stride] = problem_.labels[mu] * a_[mu] / root_n;
    }
  }
}

// Newton step for one covariate at a time: precision p + sum z^2 (-b), gradient sum y z a - p gamma.
void AmpRun::update_covariates() {
  for (std::size_t j = 0; j < problem_.covariates.count(); ++j) {
    const double prior = problem_.covariates.precision[j] / problem_.density;
    double curvature = prior, gradient = -prior * gamma_[j];
    for (std::size_t mu = 0; mu < problem_.labels.size(); ++mu) {
      const double z = problem_.covariates.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
      curvature += z * z * std::max(-slope_[mu], 0.0);
      gradient += problem_.labels[mu] * z * a_[mu];
    }
    gamma_[j] += damping_.share() * gradient / curvature;
    gamma_variance_[j] = 1 / curvature;
  }
}

// Returns the relative length of the proposed change.
double AmpRun::propose() {
  double gamma = 0;
  for (const double b : slope_) gamma += b;
  gamma /= total_features();
  for (std::size_t l = 0; l < h_.size(); ++l) h_[l] -= gamma * m_[l];
  prior_ = solve_pruning(feature_messages(), {problem_.density}, prior_).prior;
  pruned_moments(feature_messages(), prior_, {{}, proposal_, {}});
  double change_and_length[] = {0, 0};
  for (std::size_t l = 0; l < m_.size(); ++l) {
    const double d = proposal_[l] - m_[l];
    change_and_length[0] += d * d;
    change_and_length[1] += proposal_[l] * proposal_[l];
  }
  problem_.design.shards().sum(change_and_length);
  return std::sqrt(change_and_length[0] / std::max(change_and_length[1], std::numeric_limits<double>::min()));
}

void AmpRun::accept() {
  const double share = damping_.share();
  double power = 0;
  for (std::size_t l = 0; l < m_.size(); ++l) {
    m_[l] += share * (proposal_[l] - m_[l]);
    power += m_[l] * m_[l];
  }
  power_ = problem_.design.shards().sum(power) / total_features();
}

void AmpRun::finish() {
  ++iteration_;
  residual_ = propose();
  if (!std::isfinite(residual_)) {
    status_ = Status::diverged;
    running_ = false;
    return;
  }
  update_covariates();
  accept();
  const bool go_on = !options_.observer || options_.observer({iteration_, residual_, damping_.share(), m_});
  if (residual_ < options_.tolerance) status_ = Status::converged;
  running_ =
      go_on && status_ != Status::converged && iteration_ < options_.max_iterations && !patience_.lost(residual_);
  damping_.learn(residual_);
}

Posterior AmpRun::posterior() const {
  Posterior out;
  const std::size_t n = m_.size(), samples = field_.size();
  const double v = samples_variance();
  out.inclusion.resize(n);
  out.mean.resize(n);
  out.variance.resize(n);
  pruned_moments(feature_messages(), prior_, {out.inclusion, out.mean, out.variance});
  out.covariate_mean = gamma_;
  out.covariate_variance = gamma_variance_;
  out.cavity_mean = field_;
  out.cavity_variance.assign(samples, v);
  out.common_field_variance = v;
  out.prior = prior_;
  out.log_evidence = std::numeric_limits<double>::quiet_NaN();
  leave_one_out(problem_.activation, out);
  std::vector<double> fields(samples);
  for (std::size_t mu = 0; mu < samples; ++mu) fields[mu] = field_[mu] + v * a_[mu];
  out.train_error = sign_error(fields);
  out.status = status_;
  out.iterations = iteration_;
  out.residual = residual_;
  return out;
}

}  // namespace

namespace {

void advance_alone(const Design& design, AmpRun& run, Precision precision, Scratch& scratch, ThreadPool& pool) {
  const auto react = [&run](std::size_t first, std::span<double> products) {
    run.react(first, products.size(), products.data(), 1, products.data());
  };
  design.sweep(run.weights(), react, run.messages(), scratch, pool, precision);
  run.finish();
}

void advance_together(const Design& design, std::span<AmpRun* const> runs, Scratch& scratch, ThreadPool& pool) {
  std::vector<std::span<const double>> weights;
  std::vector<std::span<double>> messages;
  for (AmpRun* run : runs) {
    weights.push_back(run->weights());
    messages.push_back(run->messages());
  }
  const auto react = [runs](const Design::SampleRange& range, const double* products, double* reactions) {
    for (std::size_t k = 0; k < runs.size(); ++k)
      runs[k]->react(range.first, range.count, products + k, range.stride, reactions + k);
  };
  design.sweep_many(weights, react, messages, scratch, pool);
  if (design.shards().alone())
    pool.run(runs.size(), [runs](std::size_t k) { runs[k]->finish(); });
  else
    for (AmpRun* run : runs) run->finish();  // their sums over the processes must come in one order
}

}  // namespace

Posterior fit_amp(const Problem& problem, const SolverOptions& options, ThreadPool& pool) {
  AmpRun run(problem, options);
  Scratch scratch;
  const Precision precision = precision_for(options);
  while (run.running()) advance_alone(problem.design, run, precision, scratch, pool);
  return run.posterior();
}

std::vector<Posterior> fit_amp_together(std::span<const Problem> problems, const SolverOptions& options,
                                        const AmpDone& done, ThreadPool& pool, std::span<const int> updates_of_others) {
  constexpr std::size_t worth_a_batch = 4;  // fewer are faster one by one
  const Precision precision = precision_for(options);
  std::vector<std::unique_ptr<AmpRun>> runs;
  for (const Problem& problem : problems) runs.push_back(std::make_unique<AmpRun>(problem, options));
  std::vector<Posterior> out(runs.size());
  std::vector<AmpRun*> active;
  Scratch scratch;
  for (const auto& run : runs) active.push_back(run.get());
  for (int update = 0; !active.empty(); ++update) {
    const Design& design = problems.front().design;
    const auto others = static_cast<std::size_t>(std::count_if(updates_of_others.begin(), updates_of_others.end(),
                                                               [update](int updates) { return updates > update; }));
    if (precision == Precision::rough && active.size() + others >= worth_a_batch)
      advance_together(design, active, scratch, pool);
    else
      for (AmpRun* run : active) advance_alone(design, *run, precision, scratch, pool);
    active.clear();
    for (std::size_t k = 0; k < runs.size(); ++k) {
      if (!runs[k]) continue;
      if (runs[k]->running()) {
        active.push_back(runs[k].get());
        continue;
      }
      out[k] = runs[k]->posterior();
      runs[k].reset();
      if (done) done(k, out[k]);
    }
  }
  return out;
}

}  // namespace cavity
