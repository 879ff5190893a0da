// One update (math in the order of the code; all samples and features in parallel), V = C - Q:
//   D_mu = y_mu x_mu.m/sqrt(N) - V a_mu          cavity field, with the OLD a
//   a_mu <- a(D_mu; V),  Gamma = (1/N) sum_mu b(D_mu; V)
//   h_l  = (1/sqrt(N)) sum_mu y_mu x_mu,l a_mu - Gamma m_l      with the OLD m
//   (A, lambda) from the pruning conditions on h;  m_l <- P_l h_l/A,  Q <- mean m^2
// Memory traffic: the matrix once, by Design::sweep. Without damping it follows state evolution step by step on random
// data; on correlated data damping of m and a settles it, at a biased fixed point: use EP there.
// Covariates are few and always kept: one Gaussian update each from the same a and b.
#include "infer/amp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cavity {

namespace {

struct State {
  std::vector<double> m, a, field, slope, h, proposal, old_a;
  std::vector<double> gamma, gamma_variance;  // covariates
  PruningPrior prior;
  double power = 0;  // Q
};

// Share of each proposal that is taken.
class Damping {
 public:
  explicit Damping(double fixed) : share_(fixed > 0 ? fixed : 1), fixed_(fixed > 0) {}
  double share() const { return share_; }
  void learn(double residual) {
    if (fixed_) return;
    if (residual > last_ * 1.0001) {
      if (++rises_ >= 2) {
        share_ = std::max(0.5 * share_, 0.02);
        rises_ = 0;
        calm_ = 0;
      }
    } else if (++calm_ >= 20) {
      share_ = std::min(1.0, 1.25 * share_);
      calm_ = 0;
    }
    last_ = residual;
  }

 private:
  double share_;
  bool fixed_;
  double last_ = std::numeric_limits<double>::infinity();
  int rises_ = 0, calm_ = 0;
};

double covariate_field(const Problem& problem, const State& state, std::size_t mu) {
  double sum = 0;
  for (std::size_t j = 0; j < problem.covariates.count(); ++j)
    sum += problem.covariates.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j)) * state.gamma[j];
  return problem.labels[mu] * sum;
}

// Newton step for one covariate at a time: precision p + sum z^2 (-b), gradient sum y z a - p gamma.
void update_covariates(const Problem& problem, double share, State& state) {
  for (std::size_t j = 0; j < problem.covariates.count(); ++j) {
    const double prior = problem.covariates.precision[j] / problem.density;
    double curvature = prior, gradient = -prior * state.gamma[j];
    for (std::size_t mu = 0; mu < problem.labels.size(); ++mu) {
      const double z = problem.covariates.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
      curvature += z * z * std::max(-state.slope[mu], 0.0);
      gradient += problem.labels[mu] * z * state.a[mu];
    }
    state.gamma[j] += share * gradient / curvature;
    state.gamma_variance[j] = 1 / curvature;
  }
}

// Returns the relative length of the proposed change; leaves the proposal in state.proposal.
double propose(const Problem& problem, double share, State& state, ThreadPool& pool) {
  const auto n = static_cast<double>(problem.design.features());
  const double root_n = std::sqrt(n), v = std::max(problem.density - state.power, 1e-12 * problem.density);
  // After heavy damping of m, a must be damped as well or the two fall out of step.
  const double share_a = share > 0.3 ? 1 : share;
  state.old_a = state.a;
  problem.design.sweep(
      state.m,
      [&](std::size_t mu, double product) {
        const double y = problem.labels[mu];
        const double d = y * product / root_n + covariate_field(problem, state, mu) - v * state.old_a[mu];
        const Tilt t = tilt(problem.activation, d, v);
        state.field[mu] = d;
        state.slope[mu] = t.b;
        state.a[mu] += share_a * (t.a - state.a[mu]);
        return y * state.a[mu] / root_n;
      },
      state.h, pool);
  double gamma = 0;
  for (const double b : state.slope) gamma += b;
  gamma /= n;
  for (std::size_t l = 0; l < state.h.size(); ++l) state.h[l] -= gamma * state.m[l];
  state.prior = solve_pruning({state.h, {}}, {problem.density}, state.prior).prior;
  pruned_moments({state.h, {}}, state.prior, {{}, state.proposal, {}});
  double change = 0, length = 0;
  for (std::size_t l = 0; l < state.m.size(); ++l) {
    const double d = state.proposal[l] - state.m[l];
    change += d * d;
    length += state.proposal[l] * state.proposal[l];
  }
  return std::sqrt(change / std::max(length, std::numeric_limits<double>::min()));
}

void accept(double share, State& state) {
  double power = 0;
  for (std::size_t l = 0; l < state.m.size(); ++l) {
    state.m[l] += share * (state.proposal[l] - state.m[l]);
    power += state.m[l] * state.m[l];
  }
  state.power = power / static_cast<double>(state.m.size());
}

Posterior summarise(const Problem& problem, const State& state) {
  Posterior posterior;
  const std::size_t n = problem.design.features(), samples = problem.design.samples();
  const double v = std::max(problem.density - state.power, 1e-12 * problem.density);
  posterior.inclusion.resize(n);
  posterior.mean.resize(n);
  posterior.variance.resize(n);
  pruned_moments({state.h, {}}, state.prior, {posterior.inclusion, posterior.mean, posterior.variance});
  posterior.covariate_mean = state.gamma;
  posterior.covariate_variance = state.gamma_variance;
  posterior.cavity_mean = state.field;
  posterior.cavity_variance.assign(samples, v);
  posterior.common_field_variance = v;
  posterior.prior = state.prior;
  posterior.log_evidence = std::numeric_limits<double>::quiet_NaN();
  leave_one_out(problem.activation, posterior);
  std::vector<double> fields(samples);
  for (std::size_t mu = 0; mu < samples; ++mu) fields[mu] = state.field[mu] + v * state.a[mu];
  posterior.train_error = sign_error(fields);
  return posterior;
}

}  // namespace

Posterior fit_amp(const Problem& problem, const SolverOptions& options, ThreadPool& pool) {
  check_problem(problem);
  const std::size_t n = problem.design.features(), samples = problem.design.samples();
  State state;
  for (auto* v : {&state.m, &state.h, &state.proposal}) v->assign(n, 0);
  for (auto* v : {&state.a, &state.field, &state.slope}) v->assign(samples, 0);
  for (auto* v : {&state.gamma, &state.gamma_variance}) v->assign(problem.covariates.count(), 0);
  state.prior = uninformed_prior(problem.density);

  Damping damping(options.share);
  Status status = Status::stalled;
  double residual = std::numeric_limits<double>::infinity();
  int iteration = 0;
  while (iteration < options.max_iterations) {
    ++iteration;
    residual = propose(problem, damping.share(), state, pool);
    if (!std::isfinite(residual)) {
      status = Status::diverged;
      break;
    }
    update_covariates(problem, damping.share(), state);
    accept(damping.share(), state);
    const bool go_on = !options.observer || options.observer({iteration, residual, damping.share(), state.m});
    if (residual < options.tolerance) {
      status = Status::converged;
      break;
    }
    if (!go_on) break;
    damping.learn(residual);
  }
  Posterior posterior = summarise(problem, state);
  posterior.status = status;
  posterior.iterations = iteration;
  posterior.residual = residual;
  return posterior;
}

}  // namespace cavity
