#include "classes/fit_several.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "cavity/errors.hpp"
#include "classes/check_classes.hpp"
#include "classes/joining.hpp"
#include "classes/overall_features.hpp"
#include "classes/several_covariates.hpp"
#include "classes/several_loo.hpp"
#include "classes/several_warnings.hpp"
#include "classes/together.hpp"
#include "grid/checkpoint_files.hpp"
#include "grid/served_columns.hpp"
#include "judge/twins.hpp"
#include "prepare/make_design.hpp"
#include "select/describe.hpp"
#include "select/feature_mixture.hpp"
#include "select/fit_two.hpp"
#include "select/pilot.hpp"
#include "select/training_rows.hpp"

namespace cavity {

namespace {

// At 300 times the tolerance that was asked for the log loss is known to 1e-4, inclusion to 2e-3, and the joining does
// not tell more. By folds cells lose 0.006 nats in the median: one that leads by less than 0.005 has nothing to earn.
constexpr SettleEffort effort{300, 0.005};

/// What all classes see.
struct Shared {
  const Labelled& data;
  const std::vector<std::uint32_t>& classes;
  const Prepared& prepared;
  const Design& design;
  const Covariates& covariates;
  const SampleGroups* groups;  // left out together; none: each alone
  std::size_t first_class;     // solved before the others: they look only at what served it
};

/// What is left of one class against the rest.
struct OneClass {
  ClassModel model;
  ClassFit fit;
  std::vector<double> field;  // a sample: left out
  Warnings warnings;
  std::size_t resumed_cells = 0;
  std::vector<std::size_t> columns;  // of the grid, that served it
};

/// Fields are joined as they are: what recalibrates them is the joining, and the population counts after it.
FitOptions options_of_a_class(FitOptions options) {
  options.selection.recalibrate = false;
  options.grid.sparsest = false;
  options.class_shares.clear();
  return options;
}

OneClass fit_class(const Shared& table, std::size_t k, std::span<const std::size_t> columns, FitOptions options,
                   ThreadPool& pool) {
  const std::vector<std::int8_t> labels = against_rest(table.classes, k);
  options.checkpoint = class_checkpoint(options.checkpoint, k);
  const GridProblem problem{
      table.design, labels, table.covariates, options.activation.value_or(ActivationKind::step), table.groups,
      columns,      true};
  const Solution solution = solve_and_choose(table.prepared, problem, options, pool, effort);
  Fit one = describe_labels({table.data, table.prepared, problem, solution.solved, solution.choice}, options, pool);
  OneClass out;
  out.warnings = fit_warnings(one, solution.solved.solver, solution.choice);
  out.resumed_cells = solution.solved.resumed_cells;
  out.columns = served_columns(solution.solved);
  for (std::size_t mu = 0; mu < labels.size(); ++mu)
    out.field.push_back(joining_field(solution.choice.loo_log_probability[mu], labels[mu] > 0));
  out.model = {std::move(one.model.mixture), std::move(one.model.features), std::move(one.model.covariates)};
  out.fit = {std::move(one.solver), std::move(one.grid),         one.chosen, std::move(one.loo), one.loo_check,
             one.train_error,       std::move(one.contributions)};
  return out;
}

bool side_by_side(const Shared& table, const ThreadPool& pool) {
  constexpr std::size_t most_values = 20'000'000;
  return pool.size() > 1 && table.design.shards().alone() && table.prepared.features.is_dense() &&
         table.prepared.samples() * table.prepared.inputs() <= most_values;
}

/// Cells of all classes count as those of one grid.
FitObserver counted_over_classes(const FitObserver& observer, std::size_t classes, std::mutex& mutex,
                                 std::size_t& finished) {
  FitObserver out = observer;
  if (observer.progress)
    out.progress = [&observer, classes, &mutex, &finished](Progress p) {
      const std::lock_guard lock(mutex);
      p.cell = ++finished;
      p.cells *= classes;
      return observer.progress(p);
    };
  return out;
}

std::vector<OneClass> fit_all(const Shared& table, const FitOptions& options, ThreadPool& pool) {
  std::vector<OneClass> out(table.data.class_names.size());
  std::mutex mutex;
  std::size_t finished = 0;
  FitOptions how = options_of_a_class(options);
  how.observer = counted_over_classes(options.observer, out.size(), mutex, finished);
  const std::size_t first = table.first_class;
  out[first] = fit_class(table, first, {}, how, pool);
  const auto one = [&](std::size_t i, ThreadPool& threads) {
    const std::size_t k = i < first ? i : i + 1;
    out[k] = fit_class(table, k, out[first].columns, how, threads);
  };
  if (side_by_side(table, pool))
    pool.run(out.size() - 1, [&](std::size_t i) {
      ThreadPool alone(1);
      one(i, alone);
    });
  else
    for (std::size_t i = 0; i + 1 < out.size(); ++i) one(i, pool);
  return out;
}

/// The class that splits the samples most evenly has most to say of a preparation.
std::size_t most_even(const std::vector<std::size_t>& counts, std::size_t samples) {
  const auto unevenness = [&](std::size_t count) {
    return std::max(2 * count, samples) - std::min(2 * count, samples);
  };
  const auto best = std::min_element(counts.begin(), counts.end(),
                                     [&](std::size_t a, std::size_t b) { return unevenness(a) < unevenness(b); });
  return static_cast<std::size_t>(best - counts.begin());
}

Matrix fields_of(const std::vector<OneClass>& all, std::size_t samples) {
  Matrix out(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(all.size()));
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t mu = 0; mu < samples; ++mu)
      out(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(k)) = all[k].field[mu];
  return out;
}

void describe_features(const Shared& table, Model& model, ThreadPool& pool) {
  model.features = overall_features(model.per_class);
  const std::vector<std::uint32_t>& kept = table.prepared.preprocessing.kept;
  if (table.prepared.preprocessing.directions > 0) return;
  std::vector<double> inclusion;
  for (const std::uint32_t l : kept) inclusion.push_back(model.features.inclusion[l]);
  model.features.groups = correlated_groups(table.design, inclusion, pool);
  for (auto& group : model.features.groups)
    for (auto& l : group) l = kept[l];
}

/// A sample whose leave-one-out is doubtful for its own class.
std::vector<bool> reliable_samples(const std::vector<ClassFit>& fits, const std::vector<std::uint32_t>& classes) {
  std::vector<bool> out;
  for (std::size_t mu = 0; mu < classes.size(); ++mu) out.push_back(fits[classes[mu]].loo.reliable[mu]);
  return out;
}

/// Beside the classes one against the rest.
Together share_together(const Shared& table, Matrix& probability, ThreadPool& pool) {
  const std::size_t count = table.data.class_names.size();
  std::optional<TogetherFit> fit =
      fit_together({table.design, table.covariates, table.classes, count, table.groups}, pool);
  if (!fit) return {};
  fit->model.share = mix_together(fit->probability, table.classes, table.groups, probability);
  return fit->model.share > 0 ? std::move(fit->model) : Together{};
}

Fit join(const Shared& table, std::vector<OneClass> all, const FitOptions& options, ThreadPool& pool) {
  Fit out;
  out.data = describe_data(table.data, table.prepared);
  if (table.groups) note_groups(*table.groups, out.data);
  out.data.classes = table.classes;
  out.data.shares = options.class_shares;
  out.data.counts.assign(all.size(), 0);
  for (const std::uint32_t k : table.classes) ++out.data.counts[k];
  Joined answer = fit_joining(fields_of(all, table.classes.size()), table.classes, pool, table.groups);
  std::vector<Warnings> warnings;
  out.resources = describe_resources(table.prepared, table.design, pool);
  for (OneClass& one : all) {
    warnings.push_back(std::move(one.warnings));
    out.resources.resumed_cells += one.resumed_cells;
    out.model.per_class.push_back(std::move(one.model));
    out.per_class.push_back(std::move(one.fit));
  }
  out.solver = out.per_class.front().solver;
  out.model.class_names = table.data.class_names;
  out.model.label_name = table.data.label_name;
  out.model.id_name = table.data.id_name;
  out.model.preprocessing = table.prepared.preprocessing;
  out.model.mixture.activation = options.activation.value_or(ActivationKind::step);
  out.model.mixture.intercept = table.covariates.count() > table.prepared.covariates.cols;
  out.model.joining = std::move(answer.joining);
  out.model.together = share_together(table, answer.probability, pool);
  out.model.class_shift = class_shift(options.class_shares, out.data.counts);
  describe_features(table, out.model, pool);
  shift_classes(out.model.class_shift, answer.probability);
  out.loo.reliable = reliable_samples(out.per_class, table.classes);
  estimate_several(answer.probability, out.model.class_shift, table.groups, out);
  if (table.prepared.covariates.cols > 0)
    out.covariates_alone = several_covariates_alone(table.prepared.covariates, table.classes, answer.probability,
                                                    out.model.class_shift, table.groups, pool);
  const bool sites = std::any_of(out.per_class.begin(), out.per_class.end(), [&](const ClassFit& c) {
    return keeps_training(parse_solver(c.solver.name), table.prepared, options);
  });
  if (sites) out.model.training = training_rows(table.prepared, {}, table.design.shards());
  out.warnings = several_warnings(out, warnings, table.data, find_twins(table.design, table.prepared.inputs(), pool));
  return out;
}

}  // namespace

Fit fit_several(Dataset data, const FitOptions& options, const Shards& shards) {
  const std::vector<std::size_t> counts = checked_counts(data);
  check_shares(options, data.class_names);
  check_processes(data, options, shards);
  if (!options.checkpoint.file.empty())
    for (std::size_t k = 0; k < counts.size(); ++k) check_checkpoint(class_checkpoint(options.checkpoint, k), shards);
  const Labelled labelled{{},          data.class_names, data.label_name, data.id_name, data.sample_names,
                          data.groups, data.notes};
  const std::optional<SampleGroups> groups = checked_groups(data, options, shards);
  const SampleGroups* together = groups ? &*groups : nullptr;
  const std::vector<std::uint32_t> classes = data.classes;
  ThreadPool pool(options.threads);
  const FitOptions how = with_rows(data, options, shards);
  const std::size_t first = most_even(counts, classes.size());
  const auto pilot = against_rest(classes, first);
  const Prepared prepared = prepare_by_pilot(std::move(data), {pilot, together}, how, pool, shards);
  const auto design = make_design(prepared, shards);
  const Covariates covariates = fit_covariates(prepared, options);
  const Shared table{labelled, classes, prepared, *design, covariates, together, first};
  return join(table, fit_all(table, options, pool), options, pool);
}

}  // namespace cavity
