// x <- EP update(x) on the cavities x = (h, A, D, ln V), by adaptive mixing with Anderson acceleration on top; a step
// that leaves the positive definite region is taken back towards the last good x.
#include "infer/ep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "infer/anderson.hpp"
#include "infer/ep_update.hpp"

namespace cavity {

namespace {

constexpr std::size_t anderson_memory = 12;
constexpr double acceleration_starts = 0.5;  // residual
constexpr int max_failures = 80;

// How much of each proposal is taken: grows while the residual falls, shrinks when it rises or stays.
class Mixing {
 public:
  double share() const { return share_; }
  void fail() { share_ = std::max(0.6 * share_, smallest); }
  /// True when the history should be forgotten.
  bool learn(double residual) {
    if (residual < 0.98 * best_) {
      best_ = residual;
      since_best_ = 0;
    } else if (++since_best_ >= patience) {
      cap_ = std::max(0.7 * cap_, smallest);
      share_ = std::min(share_, cap_);
      since_best_ = 0;
      last_ = residual;
      return true;
    }
    if (residual < last_)
      share_ = std::min(1.1 * share_, cap_);
    else if (residual > 1.5 * last_)
      share_ = std::max(0.7 * share_, smallest);
    last_ = residual;
    return false;
  }

 private:
  static constexpr double smallest = 0.03;
  static constexpr int patience = 6;
  double share_ = 0.5, cap_ = 1, last_ = std::numeric_limits<double>::infinity(), best_ = last_;
  int since_best_ = 0;
};

// The same cavities in the units of another density: beta ~ sqrt(C), so fields scale with it and messages against it.
EpState rescaled(const EpState& state, double density) {
  EpState out = state;
  const double ratio = density / state.density, root = std::sqrt(ratio);
  for (auto& h : out.linear) h /= root;
  for (auto& a : out.precision) a /= ratio;
  for (auto& d : out.mean) d *= root;
  for (auto& v : out.log_variance) v += std::log(ratio);
  return out;
}

struct Attempt {
  EpResult result;
  bool any = false;
};

Attempt attempt(const Problem& problem, const SolverOptions& options, const EpState* start, const SiteSigns& signs,
                ThreadPool& pool) {
  EpUpdate update(problem, pool);
  std::vector<double> x(update.length()), next(x.size()), f(x.size()), step(x.size()), weight(x.size()), good;
  Attempt out;
  Posterior& posterior = out.result.posterior;
  if (start) {
    x = update.pack(rescaled(*start, problem.density));
    update.prior = start->prior;
  } else if (!update.cold_start(x)) {
    return out;
  }
  Anderson anderson(anderson_memory);
  Mixing mixing;
  Status status = Status::stalled;
  double residual = std::numeric_limits<double>::infinity();
  int iteration = 0, failures = 0;
  while (iteration < options.max_iterations) {
    ++iteration;
    if (!update(x, signs, next)) {
      if (good.empty() || ++failures > max_failures) break;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = good[i] + 0.4 * (x[i] - good[i]);
      anderson.forget();
      mixing.fail();
      continue;
    }
    residual = update.residual();
    good = x;
    posterior = update.posterior(x);
    out.any = true;
    const bool go_on = !options.observer || options.observer({iteration, residual, mixing.share(), posterior.mean});
    if (residual < options.tolerance) {
      status = Status::converged;
      break;
    }
    if (!go_on) break;
    if (mixing.learn(residual)) anderson.forget();
    for (std::size_t i = 0; i < x.size(); ++i) f[i] = next[i] - x[i];
    update.coordinate_weights(weight);
    anderson.step(x, f, weight, mixing.share(), residual < acceleration_starts, step);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += step[i];
  }
  if (!out.any) return out;
  out.result.state = update.unpack(good);
  posterior.status = status;
  posterior.iterations = iteration;
  posterior.residual = residual;
  return out;
}

}  // namespace

EpResult fit_ep(const Problem& problem, const SolverOptions& options, const EpState* start, ThreadPool& pool) {
  check_problem(problem);
  EpResult best;
  best.posterior.residual = std::numeric_limits<double>::infinity();
  int spent = 0;
  for (const SiteSigns signs : {SiteSigns{true, true}, SiteSigns{false, true}, SiteSigns{false, false}}) {
    Attempt tried = attempt(problem, options, start, signs, pool);
    spent += tried.result.posterior.iterations;
    if (!tried.any) continue;
    const bool restricted = !signs.negative_samples;
    if (tried.result.posterior.status == Status::converged) {
      if (restricted) tried.result.posterior.status = Status::restricted;
      best = std::move(tried.result);
      break;
    }
    if (tried.result.posterior.residual < best.posterior.residual) best = std::move(tried.result);
  }
  best.posterior.iterations = spent;
  return best;
}

}  // namespace cavity
