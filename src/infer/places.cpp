#include "infer/places.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "cavity/errors.hpp"
#include "infer/place_record.hpp"

namespace cavity {

namespace {

void check_options(const PlaceOptions& options) {
  if (options.chains < 1 || options.warm_up < 0 || options.draws < 1 || options.kept_draws < 1)
    throw UsageError(fmt::format("cannot sample places by {} chains of {} + {} draws of which {} are kept",
                                 options.chains, options.warm_up, options.draws, options.kept_draws));
}

std::vector<PlaceRecord> run_chains(const PlaceProblem& problem, const PlaceModel& model, const PlaceOptions& options,
                                    ThreadPool& pool) {
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

std::vector<PlaceResult> sample_place_rows(const PlaceProblem& problem, const std::vector<double>& kept,
                                           const PlaceOptions& options, ThreadPool& pool) {
  for (const double k : kept) row_problem(problem, k).check();
  check_options(options);
  const PlaceModel model(problem, kept, pool);
  return summarise_places(problem, model, options, run_chains(problem, model, options, pool));
}

PlaceResult sample_places(const PlaceProblem& problem, const PlaceOptions& options, ThreadPool& pool) {
  return std::move(sample_place_rows(problem, {problem.kept}, options, pool).front());
}

}  // namespace cavity
