#include "fit/fit_table.hpp"

#include <algorithm>

#include "cavity/errors.hpp"
#include "fit/make_covariates.hpp"
#include "fit/pilot.hpp"
#include "prepare/make_design.hpp"
#include "search/checkpoint_files.hpp"
#include "search/search.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

/// Rows of one length where the solver takes them for such, unless the options say otherwise.
FitOptions with_rows(const Dataset& data, FitOptions options, const Shards& shards) {
  const Solver solver = pick_solver(options.solver.kind, data.features, data.features.cols(), shards).solver;
  if (!options.preprocessing.equal_rows && assumes_equal_rows(solver)) options.preprocessing.equal_rows = true;
  return options;
}

void prepare_features(Dataset&& data, const FitOptions& how, const Shards& shards, ThreadPool& pool, FitTable& out) {
  if (data.blocks.size() < 2) {
    const std::vector<std::int8_t> labels = against_rest(out.samples.classes, most_even_class(out.samples));
    out.prepared = std::make_unique<const Prepared>(
        prepare_by_pilot(std::move(data), {labels, out.together()}, how, pool, shards));
    return;
  }
  if (!shards.alone()) throw UsageError("several blocks are fitted in one process");
  PreparedBlocks made = prepare_blocks(std::move(data), out.samples, out.together(), how, pool);
  out.prepared = std::make_unique<const Prepared>(std::move(made.prepared));
  out.blocks = std::move(made.table);
}

}  // namespace

std::uint32_t most_even_class(const Labelled& samples) {
  if (samples.class_count() == 2) return 1;
  const std::size_t all = samples.classes.size();
  const auto unevenness = [&](std::size_t count) { return std::max(2 * count, all) - std::min(2 * count, all); };
  return static_cast<std::uint32_t>(std::ranges::min_element(samples.counts, {}, unevenness) - samples.counts.begin());
}

FitTable prepare_table(Dataset data, const FitOptions& options, const Shards& shards, ThreadPool& pool) {
  FitTable out;
  out.samples = checked_labels(data);
  out.groups = checked_groups(data, options, shards);
  check_class_prior(options, data.class_names);
  check_processes(data, options, shards);
  const std::size_t questions = question_count(out.samples.class_count());
  for (std::size_t q = 0; q < questions && !options.checkpoint.file.empty(); ++q)
    check_checkpoint(question_checkpoint(options.checkpoint, q, questions), shards);
  prepare_features(std::move(data), with_rows(data, options, shards), shards, pool, out);
  out.design = make_design(*out.prepared, shards);
  const bool intercept = options.intercept && options.solver.kind != Solver::bp;
  out.covariates =
      make_covariates(out.prepared->covariates, out.prepared->samples(), intercept, covariate_prior_precision);
  return out;
}

}  // namespace cavity
