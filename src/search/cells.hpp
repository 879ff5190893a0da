// A solved cell as a value: where, by what, how it ended, what it found, and what it says of samples left out with the
// right by which it says it. Made once; what a later step learns of a cell is another value.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cavity/place_draws.hpp"
#include "infer/ep.hpp"
#include "infer/posterior.hpp"
#include "search/grid.hpp"
#include "search/place_inputs.hpp"

namespace cavity {

/// By what a cell was solved; the last two sample, or sum, which features are kept.
enum class Method { ep, gamp, amp, bp, gibbs, places, one_place };
Method method_of(Solver solver);
/// As a grid names it: "places" for both of the last two.
std::string to_string(Method method);

/// By what right a cell speaks of samples left out.
enum class Right {
  none,      // what it says is rosy
  cavities,  // of its own solution: the others' sites held fixed
  folds,     // solutions without a fifth of the samples each
  groups,    // solutions without one group, or a hundredth of the groups, each
  visits,    // what chains visit, or a sum over all that is possible
};

struct LeftOut {
  Right right = Right::none;
  std::vector<double> log_probability;  // a sample: of its own label, with all that are left out with it
  std::vector<double> field_variance;   // a sample: V of the cavity; NaN where there are no fields
  double error = 0, log_loss = 0;
};

struct SolvedCell {
  GridPoint where;
  std::size_t column = 0;  // of the grid: a noise and a width
  Method by = Method::ep;
  Status status = Status::diverged;
  bool settled = true;  // nothing more is done for it; of a loosely solved one, not before it is needed
  LeftOut left_out;
  std::shared_ptr<const Posterior> posterior;
  std::shared_ptr<const EpState> state{};     // where ep has solved it
  std::shared_ptr<const PlaceDraws> draws{};  // where places were sampled

  bool sampled() const { return by == Method::places || by == Method::one_place; }
  bool by_folds() const { return left_out.right == Right::folds || left_out.right == Right::groups; }
  double kept(std::size_t features) const { return where.density * static_cast<double>(features); }
  /// Whether its word on samples left out can be taken: it converged and is by folds, or keeps enough of the features;
  /// of a sampled cell, when enough draws speak for it.
  bool reliable(std::size_t features) const;
};

/// Its posterior's own word, by its cavities; by chains where places were sampled.
SolvedCell solved_cell(const GridPoint& where, std::size_t column, Method by, Posterior posterior);

/// Without what only predictions and features need.
SolvedCell without_features(SolvedCell cell);

/// What a search has found.
struct Cells {
  Solver solver = Solver::ep;  // what ran
  std::string why;             // the reason
  std::vector<SolvedCell> list{};
  std::size_t resumed = 0;                            // that came from a checkpoint
  std::shared_ptr<const PlaceInputs> place_inputs{};  // what sampled cells see; none: what inference sees

  std::shared_ptr<const Design> whole{};  // all features of a table that processes share

  const Design& place_design(const Design& seen_by_inference) const {
    return place_inputs ? static_cast<const Design&>(place_inputs->design) : whole ? *whole : seen_by_inference;
  }
};

}  // namespace cavity
