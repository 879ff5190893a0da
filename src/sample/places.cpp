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
  if (options.folds == 1 || options.fold_chains < 1 || options.fold_warm_up < 0 || options.fold_draws < 1)
    throw UsageError(fmt::format("cannot leave out {} folds by {} chains of {} + {} draws each", options.folds,
                                 options.fold_chains, options.fold_warm_up, options.fold_draws));
}

void leave_folds_out(std::span<const std::int8_t> labels, const Eigen::VectorXd& positive, Posterior& out) {
  const double share = 1 / static_cast<double>(labels.size());
  out.by_folds = true;
  for (std::size_t mu = 0; mu < labels.size(); ++mu) {
    const double p = positive[static_cast<Eigen::Index>(mu)], own = labels[mu] > 0 ? p : 1 - p;
    out.loo_log_probability.push_back(std::log(own));
    out.loo_log_loss -= std::log(own) * share;
    out.loo_error += (own < 0.5 ? 1 : own == 0.5 ? 0.5 : 0) * share;
  }
}

/// The folds in the same go, so that threads are busy to the end: the chains, which are longer, first.
std::vector<PlaceRecord> run_chains(const PlaceProblem& problem, const PlaceModel& model, const PlaceOptions& options,
                                    PlaceFolds& folds, ThreadPool& pool) {
  const std::size_t batches = ChainSums::batches, chains = static_cast<std::size_t>(options.chains);
  const std::size_t draws = (static_cast<std::size_t>(options.draws) + batches - 1) / batches * batches;
  const auto kept = static_cast<std::size_t>(std::lround(problem.kept));
  std::vector<std::optional<PlaceRecord>> slots(chains);
  pool.run(chains + folds.count(), [&](std::size_t k) {
    if (k < chains)
      slots[k] = run_place_chain(model, kept, options, draws, Random(options.seed, k));
    else
      folds.run(k - chains);
  });
  std::vector<PlaceRecord> out;
  for (auto& slot : slots) out.push_back(std::move(*slot));
  return out;
}

}  // namespace

std::vector<PlaceResult> sample_place_rows(const PlaceProblem& problem, const std::vector<double>& kept,
                                           const PlaceOptions& options, ThreadPool& pool) {
  for (const double k : kept) row_problem(problem, k).check();
  check_options(options);
  const PlaceModel model(problem, kept, pool);
  PlaceFolds folds(problem, kept, options);
  const std::vector<PlaceRecord> records = run_chains(problem, model, options, folds, pool);
  std::vector<PlaceResult> out = summarise_places(problem, model, options, records);
  if (options.folds == 0) {
    for (PlaceResult& result : out) {
      result.posterior.loo_log_probability.assign(problem.labels.size(), nan);
      result.posterior.loo_error = result.posterior.loo_log_loss = nan;
    }
    return out;
  }
  for (std::size_t row = 0; row < out.size(); ++row)
    leave_folds_out(problem.labels, folds.positive().col(static_cast<Eigen::Index>(row)), out[row].posterior);
  return out;
}

PlaceResult sample_places(const PlaceProblem& problem, const PlaceOptions& options, ThreadPool& pool) {
  return std::move(sample_place_rows(problem, {problem.kept}, options, pool).front());
}

}  // namespace cavity
