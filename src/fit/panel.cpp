// Fit, project, leave folds out, price, describe.
#include "cavity/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "fit/panel_fit.hpp"
#include "fit/stand_ins.hpp"
#include "search/fit_bounds.hpp"

namespace cavity {

namespace {

void check_options(const PanelOptions& options) {
  if (options.most < 1) throw UsageError("a panel has one feature at least (`most`)");
  if (options.folds < 2) throw UsageError("the price needs two folds at least (`folds`)");
  if (!(options.margin >= 0)) throw UsageError("what a stand-in may lose (`margin`) is not negative");
  if (options.must.size() > options.most)
    throw UsageError(fmt::format("`must` names {} features, and the largest panel has {} (`most`)", options.must.size(),
                                 options.most));
  if (options.size > options.most)
    throw UsageError(fmt::format("a panel of {} features is asked for, and the largest has {} (`most`)", options.size,
                                 options.most));
  if (options.size > 0 && options.must.size() > options.size)
    throw UsageError(
        fmt::format("`must` names {} features, and a panel of {} is asked for", options.must.size(), options.size));
  if (options.fit.preprocessing.whiten)
    throw UsageError("whitened directions are made of all features: ask for a panel without `whiten`");
  if (!options.fit.preprocessing.centre) throw UsageError("a panel centres its features: leave `centre` as it is");
}

/// Every fold leaves samples of each class.
void check_classes(const Labelled& samples) {
  for (std::size_t k = 0; k < samples.class_count(); ++k)
    if (samples.counts[k] < 2)
      throw InputError(fmt::format("class {} has one sample: the price of a panel needs two of each class at least",
                                   shown(samples.class_names[k])));
}

void check_must(const PanelChoice& choice, const PanelTable& table) {
  const Preprocessing& p = table.prepared.preprocessing;
  for (const std::uint32_t l : choice.must)
    if (!std::ranges::binary_search(p.kept, l))
      throw InputError(
          fmt::format("feature {} of `must` does not vary: it cannot be in a panel", shown(p.feature_names[l])));
}

/// What the whole fit says where classes are as common as in training.
Model as_in_training(const Model& model) {
  Model out = model;
  out.calibration.class_shift.clear();
  return out;
}

using Deal = std::vector<FoldPanels>;

std::vector<Deal> leave_out_all(const FoldsAsked& asked, const Labelled& samples, const SampleGroups* groups,
                                const PanelOptions& options, std::size_t repeats, ThreadPool& pool) {
  std::vector<std::vector<std::size_t>> folds;
  std::vector<std::size_t> deal_of;
  for (std::size_t deal = 0; deal < repeats; ++deal)
    for (auto& fold : deal_panel_folds(samples, groups, options.folds, deal, options.fit.solver.seed)) {
      folds.push_back(std::move(fold));
      deal_of.push_back(deal);
    }
  std::vector<FoldPanels> said(folds.size());
  std::mutex mutex;
  std::size_t done = 0;
  pool.run(folds.size(), [&](std::size_t k) {
    try {
      said[k] = leave_out_fold(asked, folds[k]);
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("with {} of fold {} left out: {}", counted(folds[k].size(), "sample"), k + 1, error.what()));
    }
    const std::lock_guard lock(mutex);
    if (options.progress && !options.progress(++done, folds.size())) throw Interrupted();
  });
  std::vector<Deal> out(repeats);
  for (std::size_t k = 0; k < said.size(); ++k) out[deal_of[k]].push_back(std::move(said[k]));
  return out;
}

double share_of(const std::vector<std::vector<std::uint32_t>>& paths, std::size_t size, std::uint32_t feature) {
  std::size_t hits = 0;
  for (const auto& path : paths) {
    const auto end = path.begin() + static_cast<std::ptrdiff_t>(std::min(size, path.size()));
    hits += std::find(path.begin(), end, feature) != end ? 1 : 0;
  }
  return static_cast<double>(hits) / static_cast<double>(paths.size());
}

std::vector<std::uint32_t> credible_set_of(const Model& model, std::uint32_t feature) {
  for (const QuestionModel& question : model.questions)
    for (const CredibleSet& set : question.features.credible_sets)
      if (std::ranges::find(set.features, feature) != set.features.end()) return set.features;
  return {};
}

struct Searched {
  const PanelTable& table;
  const PanelRules& rules;
  const std::vector<PanelStep>& steps;
  const PanelReference& reference;

  std::vector<std::size_t> features(std::size_t size) const {
    std::vector<std::size_t> out;
    for (std::size_t s = 0; s < size; ++s) out.push_back(steps[s].feature);
    return out;
  }
};

void price_sizes(const Searched& searched, const PriceTable& prices, const std::vector<Deal>& deals,
                 const PanelChoice& choice, ThreadPool& pool, Panel& out) {
  const std::size_t samples = prices.samples.classes.size();
  std::vector<Matrix> whole;
  for (const Deal& deal : deals) whole.push_back(shifted(prices, whole_of(deal, samples)));
  out.whole = price_panel(prices, whole, whole);
  double cost = 0;
  for (std::size_t size = 1; size <= searched.steps.size(); ++size) {
    std::vector<PanelCalibrated> said;
    std::vector<Matrix> probability;
    for (const Deal& deal : deals) {
      said.push_back(calibrate_panel(prices, fields_of_size(deal, size, samples), pool));
      probability.push_back(said.back().left_out);
    }
    const SoftFit& fit = searched.steps[size - 1].fit;
    const std::vector<std::size_t> features = searched.features(size);
    cost += choice.price[out.path[size - 1]];
    out.sizes.push_back(
        {cost, fit.divergence, price_panel(prices, probability, whole),
         describe_panel({prices, searched.table, searched.reference, features, fit, deals.front().size()},
                        said.front())});
  }
}

void describe_members(const Searched& searched, const PanelOptions& options, ThreadPool& pool, Panel& out) {
  const std::vector<std::uint32_t>& kept = searched.table.prepared.preprocessing.kept;
  const std::vector<std::size_t> features = searched.features(out.size);
  const Seats seats{features, out.sizes[out.size - 1].divergence, options.margin};
  for (std::size_t place = 0; place < out.size; ++place) {
    const std::uint32_t feature = out.path[place];
    PanelMember member{feature, share_of(out.fold_paths, out.size, feature)};
    member.credible_set = credible_set_of(out.fit.model, feature);
    member.values = panel_values(searched.table, features[place]);
    for (const Swap& swap : stand_ins(searched.table.problem(), searched.rules, seats, place, pool)) {
      const std::uint32_t other = kept[swap.feature];
      member.stand_ins.push_back({other, swap.loss, share_of(out.fold_paths, out.size, other)});
    }
    out.members.push_back(std::move(member));
  }
}

}  // namespace

Panel panel(Dataset data, const PanelOptions& asked) {
  check_options(asked);
  check_bounds(asked.fit);
  PanelOptions options = asked;
  const Labelled samples = checked_labels(data);
  check_classes(samples);
  const std::optional<SampleGroups> groups = checked_groups(data, options.fit, Shards::whole());
  ThreadPool pool(options.fit.threads);
  const PanelReference reference = take_reference(data, options, pool);
  const PanelChoice choice = panel_choice(options, data.feature_names);
  Panel out;
  out.reference = reference.features;
  out.fit = fit(data, options.fit);
  const PreprocessingOptions how = panel_preprocessing(data, options.fit.preprocessing, pool);
  const auto table = panel_table(data, as_in_training(out.fit.model), how, options.fit, pool);
  check_must(choice, *table);
  const PanelRules rules = panel_rules(choice, table->prepared.preprocessing);
  const std::vector<PanelStep> steps = search_panel(table->problem(), rules, pool);
  if (steps.empty()) throw InputError("no feature says anything of what the fit says: there is no panel");
  for (const PanelStep& step : steps) out.path.push_back(table->prepared.preprocessing.kept[step.feature]);
  constexpr std::size_t few = 50, deals_of_few = 3;
  out.repeats = options.repeats > 0 ? options.repeats : data.samples() <= few ? deals_of_few : 1;
  const PriceTable prices{samples, groups ? &*groups : nullptr, options.fit.class_prior};
  const std::vector<Deal> deals = leave_out_all({data, options_of_a_fold(options.fit, out.fit.model), how, choice},
                                                samples, prices.groups, options, out.repeats, pool);
  out.folds = deals.front().size();
  for (const Deal& deal : deals)
    for (const FoldPanels& fold : deal) out.fold_paths.push_back(fold.path);
  const Searched searched{*table, rules, steps, reference};
  price_sizes(searched, prices, deals, choice, pool, out);
  // Where the features are not shown to tell anything, every size is as good as the whole.
  out.suggested = out.fit.permutation.not_shown() ? 0 : suggest_size(out.sizes);
  out.size = std::min(options.size > 0 ? options.size : out.suggested > 0 ? out.suggested : steps.size(), steps.size());
  out.margin = options.margin;
  describe_members(searched, options, pool, out);
  return out;
}

}  // namespace cavity
