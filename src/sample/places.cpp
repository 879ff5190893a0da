#include "sample/places.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "cavity/errors.hpp"
#include "sample/place_folds.hpp"
#include "sample/place_record.hpp"

namespace cavity {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void check_options(const PlaceOptions& options) {
  if (options.chains < 1 || options.warm_up < 0 || options.draws < 1 || options.kept_draws < 1)
    throw UsageError(fmt::format("cannot sample places by {} chains of {} + {} draws of which {} are kept",
                                 options.chains, options.warm_up, options.draws, options.kept_draws));
  if (options.folds == 1 || options.fold_warm_up < 0 || options.fold_draws < 1)
    throw UsageError(fmt::format("cannot leave out {} folds in chains of {} + {} draws", options.folds,
                                 options.fold_warm_up, options.fold_draws));
}

void leave_folds_out(const PlaceProblem& problem, const std::vector<double>& positive, Posterior& out) {
  const double share = 1 / static_cast<double>(positive.size());
  for (std::size_t mu = 0; mu < positive.size(); ++mu) {
    const double own = problem.labels[mu] > 0 ? positive[mu] : 1 - positive[mu];
    out.loo_log_probability.push_back(std::log(own));
    out.loo_log_loss -= std::log(own) * share;
    out.loo_error += (own < 0.5 ? 1 : own == 0.5 ? 0.5 : 0) * share;
  }
}

std::vector<PlaceRecord> run_chains(const PlaceProblem& problem, const PlaceOptions& options, ThreadPool& pool) {
  const PlaceModel model(problem, pool);
  const std::size_t batches = ChainSums::batches, chains = static_cast<std::size_t>(options.chains);
  const std::size_t draws = (static_cast<std::size_t>(options.draws) + batches - 1) / batches * batches;
  const auto kept = static_cast<std::size_t>(std::lround(problem.kept));
  std::vector<std::optional<PlaceRecord>> slots(chains);
  pool.run(chains,
           [&](std::size_t k) { slots[k] = run_place_chain(model, kept, options, draws, Random(options.seed, k)); });
  std::vector<PlaceRecord> out;
  for (auto& slot : slots) out.push_back(std::move(*slot));
  return out;
}

}  // namespace

PlaceResult sample_places(const PlaceProblem& problem, const PlaceOptions& options, ThreadPool& pool) {
  problem.check();
  check_options(options);
  const std::vector<PlaceRecord> records = run_chains(problem, options, pool);
  PlaceResult out = summarise_places(problem, options, records, pool);
  if (options.folds > 0) {
    std::vector<PlaceState> ends;
    for (const PlaceRecord& record : records) ends.push_back(record.last);
    leave_folds_out(problem, fold_probabilities(problem, options, ends, pool), out.posterior);
  } else {
    out.posterior.loo_log_probability.assign(problem.labels.size(), nan);
    out.posterior.loo_error = out.posterior.loo_log_loss = nan;
  }
  return out;
}

}  // namespace cavity
