// Replica-symmetric fixed point of the state evolution. The map is iterated in the coordinates
//   x = ln(Q/v),   y = ln((R^2/Q)/s2),
// free of bounds and of cancellation at both ends (no overlap, perfect overlap). Plain steps until they contract
// steadily, so that it is the fixed point that AMP runs into; then Newton with a difference Jacobian for the last
// digits.
#include <algorithm>
#include <cmath>
#include <optional>

#include "cavity/theory.hpp"
#include "theory/free_energy.hpp"
#include "theory/generalization.hpp"
#include "theory/state_evolution.hpp"

namespace cavity {

namespace theory {
namespace {

constexpr double tolerance = 1e-14;    // on a step in (x, y)
constexpr double resolved = 1e-10;     // a Newton step below this that no longer shrinks has met rounding
constexpr double informed_gap = 1e-8;  // v/C and s2/Ct of the informed start
constexpr double vanishing = 1e-20;    // v/C; matched students stay above 1e-14 at any ratio up to 100
constexpr int max_plain_steps = 3000;

struct Coordinates {
  double x, y;
};

Coordinates operator-(const Coordinates& p, const Coordinates& q) { return {p.x - q.x, p.y - q.y}; }
double length(const Coordinates& p) { return std::hypot(p.x, p.y); }
bool finite(const Coordinates& p) { return std::isfinite(p.x) && std::isfinite(p.y); }

Coordinates coordinates(const Overlaps& o) {
  const double c = o.alignment();
  return {std::log(o.power / o.student_variance), std::log(c * c / o.teacher_variance)};
}

Overlaps overlaps_at(const Ensemble& ensemble, const Coordinates& p) {
  const auto sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
  Overlaps o;
  o.power = ensemble.density * sigma(p.x);
  o.student_variance = ensemble.density * sigma(-p.x);
  o.teacher_variance = ensemble.teacher_density * sigma(-p.y);
  o.overlap = std::sqrt(o.power * ensemble.teacher_density * sigma(p.y));
  return o;
}

class FixedPoint {
 public:
  FixedPoint(const Ensemble& ensemble, const EvolutionState& start) : ensemble_(ensemble), state_(start) {}

  void run();
  const EvolutionState& state() const { return state_; }
  int steps() const { return steps_; }
  bool converged() const { return converged_; }

 private:
  EvolutionState step(const EvolutionState& from) {
    ++steps_;
    return evolve(ensemble_, from);
  }
  EvolutionState at(const Coordinates& p, const EvolutionState& near) const {
    return {overlaps_at(ensemble_, p), near.hats, near.prior};
  }
  std::optional<Coordinates> newton_step(const EvolutionState& here, const Coordinates& residual);
  bool finish(double reach);

  Ensemble ensemble_;
  EvolutionState state_;
  int steps_ = 0;
  bool converged_ = false;
};

// Solves (1 - J) d = residual, J the Jacobian of one evolution step. Refuses where J has a real eigenvalue above 1:
// such a fixed point repels the iteration and is not the one it is heading for.
std::optional<Coordinates> FixedPoint::newton_step(const EvolutionState& here, const Coordinates& residual) {
  constexpr double difference = 1e-5;
  const Coordinates p = coordinates(here.overlaps), image{p.x + residual.x, p.y + residual.y};
  const Coordinates along_x = coordinates(step(at({p.x + difference, p.y}, here)).overlaps) - image;
  const Coordinates along_y = coordinates(step(at({p.x, p.y + difference}, here)).overlaps) - image;
  const double xx = along_x.x / difference, yx = along_x.y / difference;
  const double xy = along_y.x / difference, yy = along_y.y / difference;
  const double det = (1 - xx) * (1 - yy) - xy * yx;
  if (!(det > 0) || !(xx + yy < 2)) return std::nullopt;
  const Coordinates d{((1 - yy) * residual.x + xy * residual.y) / det, ((1 - xx) * residual.y + yx * residual.x) / det};
  return finite(d) ? std::optional(d) : std::nullopt;
}

// Newton from the present state; gives up, changing nothing, when it leads further away than `reach`.
bool FixedPoint::finish(double reach) {
  EvolutionState here = state_;
  double travelled = 0, last = INFINITY;
  for (int i = 0; i < 12; ++i) {
    const EvolutionState image = step(here);
    const Coordinates residual = coordinates(image.overlaps) - coordinates(here.overlaps);
    if (!finite(residual)) return false;
    const auto d = newton_step(here, residual);
    if (!d) return false;
    const double size = length(*d);
    travelled += size;
    if (travelled > reach) return false;
    if (size < tolerance || (size < resolved && size > 0.5 * last)) {
      state_ = image;
      return true;
    }
    last = size;
    const Coordinates p = coordinates(here.overlaps);
    here = at({p.x + d->x, p.y + d->y}, image);
  }
  return false;
}

void FixedPoint::run() {
  state_ = step(state_);
  Coordinates last{INFINITY, INFINITY};
  int next_try = 4;
  for (int i = 1; i < max_plain_steps; ++i) {
    const EvolutionState next = step(state_);
    const Coordinates moved = coordinates(next.overlaps) - coordinates(state_.overlaps);
    if (!finite(moved)) return;
    state_ = next;
    // An over-confident student (noise too small for the labels) has no fixed point short of v = 0.
    if (next.overlaps.student_variance < vanishing * ensemble_.density) return;
    const double ratio = length(moved) / length(last);
    last = moved;
    converged_ = length(moved) < tolerance;
    if (!converged_ && i >= next_try && ratio < 0.97 && length(moved) < 0.3) {
      converged_ = finish(3 * length(moved) / (1 - ratio) + 1e-9);
      if (!converged_) next_try = i + std::max(4, i / 4);
    }
    if (converged_) return;
  }
}

EvolutionState informed_start(const Ensemble& ensemble) {
  const double far = -std::log(informed_gap);
  EvolutionState state = evolution_start(ensemble);
  state.overlaps = overlaps_at(ensemble, {far, far});
  return state;
}

}  // namespace
}  // namespace theory

ReplicaSolution replica_fixed_point(const TheoryPoint& point, TheoryStart start) {
  using namespace theory;
  const Ensemble ensemble = make_ensemble(point);
  FixedPoint search(ensemble, start == TheoryStart::informed ? informed_start(ensemble) : evolution_start(ensemble));
  search.run();
  const auto& [overlaps, hats, prior] = search.state();
  ReplicaSolution solution;
  solution.overlap = overlaps.overlap;
  solution.power = overlaps.power;
  solution.overlap_hat = hats.overlap_hat;
  solution.power_hat = hats.power_hat;
  solution.precision = prior.precision;
  solution.slab_precision = prior.precision - hats.power_hat;
  solution.log_odds = prior.log_odds;
  solution.error_sbc = error_sbc(ensemble, overlaps);
  solution.error_gibbs = error_gibbs(ensemble, overlaps);
  solution.free_energy = free_energy(ensemble, search.state());
  solution.stability = stability(ensemble, search.state());
  solution.steps = search.steps();
  solution.converged = search.converged();
  solution.start = start;
  return solution;
}

BothEnds replica_both_ends(const TheoryPoint& point) {
  BothEnds ends{replica_fixed_point(point, TheoryStart::uninformed), replica_fixed_point(point, TheoryStart::informed),
                false};
  const double gap = std::abs(ends.uninformed.error_sbc - ends.informed.error_sbc);
  ends.bistable = ends.uninformed.converged && ends.informed.converged && gap > 1e-7;
  return ends;
}

}  // namespace cavity
