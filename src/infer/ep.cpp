// x <- EP update(x) on the cavities x = (h, A, D, ln V), by adaptive mixing with Anderson acceleration on top; a step
// that leaves the positive definite region is taken back towards the last good x.
#include "infer/ep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "infer/anderson.hpp"
#include "infer/ep_update.hpp"
#include "infer/step_share.hpp"

namespace cavity {

namespace {

// What other values do is given by the updates that the default grids of colon (62 x 2000) and leukemia (72 x 7129)
// then take. No value moves a solution; some lose one.

// Differences kept, of the length of x each. 10: a ninth more on colon and one cell of leukemia restricted; 40: as
// many.
constexpr std::size_t anderson_memory = 20;
// From one solution to the next: more is out of date. 3: a sixth more on colon; 12: an eighth more on leukemia.
constexpr std::size_t carried_memory = 6;
// Of a proposal that is taken at first: a whole step may leave the positive definite region. 0.25: one cell of leukemia
// restricted. On the default paths of twelve tables, wide and tall: 0.5: 1401, 0.65: 1338, 0.8: 1366.
constexpr double first_share = 0.65;
// Residual below which what is known of f's slope holds: the history of differences, and Newton's direction. 0.25: as
// many; 1: a twentieth more or less.
constexpr double near_solution = 0.5;
// Residual below which Newton's step is taken whole, for its quadratic convergence. Half and twice: within 1 update.
constexpr double full_newton_below = 0.05;
// A step by the history of another solution or by Newton's direction that raises the residual by more is taken back:
// where few features are kept the walk does not come back from there (prostate, 12 kept; madelon, 25). Any other that
// raises it by more lowers the share.
constexpr double rise = 2;
// So many updates without a residual below `progress` of the best are an oscillation, which a lower cap and a fresh
// history end; twice as many, and a warm start is given up, since there are others to try; so many steps in a row
// outside of the positive definite region, and the walk is over.
constexpr int patience = 10;
constexpr double progress = 0.9;

// That products in single precision reach on every table. At 1e-6 a cell with 50 of 5000 features kept, 500 samples,
// stalls at 4e-6 on another branch, where double precision takes 25 updates.
constexpr double finest_rough_tolerance = 1e-4;

// How much of each proposal is taken: grows while the residual falls, shrinks when it rises or stays.
class Mixing {
 public:
  double share() const { return share_; }
  void fail() { share_ *= retreat; }
  /// True when the history should be forgotten.
  bool learn(double residual) {
    if (residual < progress * best_) {
      best_ = residual;
      since_best_ = impatient_ = 0;
    } else if (++since_best_ >= patience) {
      cap_ *= retreat;
      share_ = std::min(share_, cap_);
      since_best_ = 0;
      ++impatient_;
      last_ = residual;
      return true;
    }
    if (residual < last_)
      share_ = std::min(growth * share_, cap_);
    else if (residual > rise * last_)
      share_ *= retreat;
    last_ = residual;
    return false;
  }
  /// Patience was lost twice without progress between.
  bool lost() const { return impatient_ > 1; }

 private:
  double share_ = first_share, cap_ = 1, last_ = std::numeric_limits<double>::infinity(), best_ = last_;
  int since_best_ = 0, impatient_ = 0;
};

struct Proposal {
  std::vector<double> f, step, weight;
};

// Where the iteration stands: the last good x and what has been learned on the way.
struct Walk {
  std::vector<double> x, good;
  Proposal proposal;
  double residual = std::numeric_limits<double>::infinity();
  int iteration = 0, failures = 0, rejected = 0;
  bool at_good = false;          // the last update was at `good`
  std::vector<double> untaught;  // where the first step would have led without the history of another solution
  Anderson anderson;
  Mixing mixing;

  Walk(std::size_t length, const Shards& shards, ThreadPool& pool)
      : x(length),
        proposal{std::vector<double>(length), std::vector<double>(length), std::vector<double>(length)},
        anderson(anderson_memory, pool, shards) {}

  void keep() {
    rejected = failures = 0;
    good = x;
    at_good = true;
  }

  void step_back() {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = good[i] + retreat * (x[i] - good[i]);
    anderson.forget();
    mixing.fail();
  }

  /// The step just taken is the first, by the history of another solution, and it led astray.
  bool misled(bool valid, double now) const { return !untaught.empty() && (!valid || now > rise * residual); }

  void unlearn() {
    x = std::exchange(untaught, {});
    anderson.forget();
  }
};

struct Course {
  const SolverOptions& options;
  const EpStart& start;
  SiteSigns signs;
};

bool begin(const Problem& problem, const EpStart& start, EpUpdate& update, Walk& walk) {
  if (!start.state) return update.cold_start(walk.x);
  const EpState state = rescaled(*start.state, problem.density);
  walk.x = update.pack(state);
  update.prior = state.prior;
  if (!start.newton) walk.anderson.resume(state.history);  // Newton's steps are another f
  return true;
}

void advance(EpUpdate& update, const std::vector<double>& next, bool newton, Walk& walk) {
  auto& [f, step, weight] = walk.proposal;
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = next[i] - walk.x[i];
  const bool forget = walk.mixing.learn(walk.residual);
  double share = walk.mixing.share();
  if (newton && update.newton_direction(f, step)) {
    f = step;
    if (walk.residual < full_newton_below) share = 1;
  } else if (forget) {
    walk.anderson.forget();
  }
  update.coordinate_weights(weight);
  if (walk.iteration == 1 && walk.anderson.knows()) {
    walk.untaught = walk.x;
    for (std::size_t i = 0; i < f.size(); ++i) walk.untaught[i] += share * f[i];
  }
  walk.anderson.step(walk.x, f, weight, share, walk.residual < near_solution, step);
  for (std::size_t i = 0; i < f.size(); ++i) walk.x[i] += step[i];
}

Status iterate(const Course& course, EpUpdate& update, Walk& walk) {
  const SolverOptions& options = course.options;
  std::vector<double> next(update.length());
  while (walk.iteration < options.max_iterations) {
    ++walk.iteration;
    walk.at_good = false;
    const bool newton = course.start.newton && walk.residual < near_solution && update.newton_possible();
    const bool valid = update(walk.x, course.signs, next, newton);
    const bool worse = newton && valid && update.residual() > rise * walk.residual && ++walk.rejected <= patience;
    if (walk.misled(valid, update.residual())) {
      walk.unlearn();
      continue;
    }
    walk.untaught.clear();
    if (!valid || worse) {
      if (walk.good.empty() || (!valid && ++walk.failures > patience)) break;
      walk.step_back();
      continue;
    }
    walk.residual = update.residual();
    if (course.start.state && walk.mixing.lost()) break;
    walk.keep();
    const bool go_on =
        !options.observer || options.observer({walk.iteration, walk.residual, walk.mixing.share(), update.mean()});
    const bool converged = walk.residual < options.tolerance;
    if (!converged && (!go_on || walk.iteration == options.max_iterations)) break;
    if (!converged || !newton) advance(update, next, newton, walk);
    if (converged) return Status::converged;
  }
  return Status::stalled;
}

EpResult solve(const Problem& problem, const Course& course, ThreadPool& pool) {
  const EpStart& start = course.start;
  EpUpdate update(problem, pool,
                  course.options.tolerance >= finest_rough_tolerance ? Precision::rough : Precision::full);
  update.left_out = start.left_out;
  Walk walk(update.length(), problem.design.shards(), pool);
  EpResult out;
  out.posterior.residual = std::numeric_limits<double>::infinity();
  if (!begin(problem, start, update, walk)) return out;
  const Status status = iterate(course, update, walk);
  if (walk.good.empty()) return out;
  if (!walk.at_good) {
    std::vector<double> next(update.length());
    update(walk.good, course.signs, next);
  }
  out.posterior = update.posterior();
  // What the last update proposes costs nothing more, and spares the next problem its first one.
  out.state = update.unpack(status == Status::converged ? walk.x : walk.good);
  if (!start.newton) out.state.history = walk.anderson.recent(carried_memory);
  out.posterior.status = status;
  out.posterior.iterations = walk.iteration;
  out.posterior.residual = walk.residual;
  return out;
}

}  // namespace

EpState rescaled(const EpState& state, double density) {
  EpState out = state;
  const double ratio = density / state.density, root = std::sqrt(ratio);
  for (auto& h : out.linear) h /= root;
  for (auto& a : out.precision) a /= ratio;
  for (auto& d : out.mean) d *= root;
  for (auto& v : out.log_variance) v += std::log(ratio);
  for (auto& difference : out.history)
    for (auto* v : {&difference.x, &difference.f}) {
      auto value = v->begin();
      for (std::size_t l = 0; l < out.linear.size(); ++l) *value++ /= static_cast<float>(root);
      for (std::size_t l = 0; l < out.precision.size(); ++l) *value++ /= static_cast<float>(ratio);
      for (std::size_t mu = 0; mu < out.mean.size(); ++mu) *value++ *= static_cast<float>(root);
    }
  out.density = density;
  return out;
}

EpResult fit_ep(const Problem& problem, const SolverOptions& options, const EpStart& start, ThreadPool& pool) {
  check_problem(problem);
  const SiteSigns signs{start.sites == EpSites::free, start.sites != EpSites::positive};
  EpResult out = solve(problem, {options, start, signs}, pool);
  Posterior& posterior = out.posterior;
  if (posterior.status == Status::converged && start.sites != EpSites::free) posterior.status = Status::restricted;
  if (!usable(posterior.status)) {
    posterior.feature_site_precision.clear();
    posterior.sample_site_precision.clear();
  }
  return out;
}

}  // namespace cavity
