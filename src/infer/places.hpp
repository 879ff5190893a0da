// Few kept features: the posterior has many peaks, one a set of features, and a Gaussian sees one or none of them. Here
// WHICH features are kept is sampled, their weights integrated out (place_model.hpp, place_chain.hpp). What the jumps
// of the chains visit tells leave-one-out and evidence, too (place_visits.hpp).
#pragma once

#include <functional>

#include "infer/place_draws.hpp"
#include "infer/place_model.hpp"
#include "infer/posterior.hpp"

namespace cavity {

/// Of all chains, for predictions and for credible sets: a share is then known to .035.
inline constexpr std::size_t kept_draws = 200;

struct PlaceOptions {
  int chains = 4;
  int warm_up = 100;  // draws left out at the start of each chain
  int draws = 320;    // kept a chain; rounded up to a multiple of 32
  std::size_t kept_draws = cavity::kept_draws;
  const SampleGroups* groups = nullptr;  // of samples that are left out together; none: each alone
  double r_hat_limit = 1.1;
  std::uint64_t seed = 1;
  std::function<void()> observer{};  // after each draw, from any thread; what it throws ends the sampling
};

/// Over the number of places, the log likelihood and the features kept in a tenth of the draws or more (their 0 and 1).
struct PlaceDiagnostics {
  double max_r_hat = 0;            // split R-hat
  double min_effective_draws = 0;  // by batch means, of all chains together
  double mean_size = 0;            // places a draw
};

struct PlaceResult {
  Posterior posterior;
  PlaceDraws draws;
  PlaceDiagnostics diagnostics;
  bool left_out_known = true;  // enough draws speak for what the others say of each sample, or group
};

/// Status: converged when max split R-hat is below the limit, otherwise not_mixed; `residual` is max R-hat - 1.
/// Inclusion, mean and variance are averages of conditional expectations. Where groups are
/// large few draws may speak for what the others say of them. Cavity means and variances are NaN. The same bits for any
/// number of threads. Cost: chains x (warm_up + draws) steps of O(samples x features).
PlaceResult sample_places(const PlaceProblem& problem, const PlaceOptions& options, ThreadPool& pool);
/// Several numbers of kept features at the cost of one, by chains that leave the number open (PlaceRows); a row whose
/// sets are too rare among the draws is stalled.
std::vector<PlaceResult> sample_place_rows(const PlaceProblem& problem, const std::vector<double>& kept,
                                           const PlaceOptions& options, ThreadPool& pool);

}  // namespace cavity
