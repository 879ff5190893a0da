#include "fit/panel_folds.hpp"

#include <algorithm>
#include <numeric>

#include "assess/deal_folds.hpp"
#include "fit/fit_table.hpp"
#include "fit/part_of.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

constexpr std::uint64_t panel_stream = std::uint64_t{3} << 32;  // of the seed's random numbers

std::vector<std::size_t> others(const std::vector<std::size_t>& fold, std::size_t samples) {
  std::vector<std::size_t> all(samples), out;
  std::iota(all.begin(), all.end(), 0);
  std::set_difference(all.begin(), all.end(), fold.begin(), fold.end(), std::back_inserter(out));
  return out;
}

Matrix probabilities(const Prediction& said) {
  return Eigen::Map<const Matrix>(said.probabilities.data(), static_cast<Eigen::Index>(said.label.size()),
                                  static_cast<Eigen::Index>(said.classes));
}

/// Classes in turn: the order is by chance within each.
std::vector<std::size_t> deal_by_class(const std::vector<std::uint32_t>& classes, std::size_t folds, Random random) {
  std::vector<std::size_t> order(classes.size()), out(classes.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::ranges::stable_sort(order, {}, [&](std::size_t mu) { return classes[mu]; });
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i % folds;
  return out;
}

}  // namespace

FitOptions options_of_a_fold(FitOptions options, const Model& whole) {
  constexpr double loose = 1e-3;
  const bool sampled =
      std::ranges::any_of(whole.questions, [](const QuestionModel& q) { return q.mixture.sampled_weight() > 0; });
  options.grid.sparsest = options.grid.sparsest && sampled;
  options.solver.tolerance = std::max(options.solver.tolerance, loose);
  options.selection.check_loo = 0;
  options.class_prior.clear();
  options.checkpoint = {};
  options.observer.progress = nullptr;
  options.threads = 1;
  return options;
}

FoldPanels leave_out_fold(const FoldsAsked& asked, const std::vector<std::size_t>& fold) {
  ThreadPool pool(1);
  const Dataset training = part_of(asked.data, others(fold, asked.data.samples()));
  const Model model = fit(training, asked.fit).model;
  const auto table = panel_table(training, model, asked.preprocessing, asked.fit, pool);
  const auto path = search_panel(table->problem(), panel_rules(asked.choice, table->prepared.preprocessing), pool);
  FoldPanels out;
  out.samples = fold;
  Dataset left_out = part_of(asked.data, fold);
  out.whole = probabilities(predict(model, left_out, 1));
  const Applied rows = apply(table->prepared.preprocessing, std::move(left_out), pool);
  std::vector<std::size_t> features;
  out.field.push_back(
      panel_fields(rows, features, table->intercept, fit_panel(table->problem(), table->always).weight));
  for (const PanelStep& step : path) {
    features.push_back(step.feature);
    out.path.push_back(table->prepared.preprocessing.kept[step.feature]);
    out.field.push_back(panel_fields(rows, features, table->intercept, step.fit.weight));
  }
  return out;
}

std::vector<std::vector<std::size_t>> deal_panel_folds(const Labelled& samples, const SampleGroups* groups,
                                                       std::size_t folds, std::size_t deal, std::uint64_t seed) {
  folds = std::min(folds, groups ? groups->count() : samples.classes.size());
  const Random random(seed, panel_stream + deal);
  const std::vector<std::size_t> of =
      groups ? deal_groups(*groups, against_rest(samples.classes, most_even_class(samples)), folds, random)
             : deal_by_class(samples.classes, folds, random);
  std::vector<std::vector<std::size_t>> out(folds);
  for (std::size_t mu = 0; mu < of.size(); ++mu) out[of[mu]].push_back(mu);
  std::erase_if(out, [](const auto& fold) { return fold.empty(); });
  return out;
}

}  // namespace cavity
