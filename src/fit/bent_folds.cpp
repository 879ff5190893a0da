#include "fit/bent_folds.hpp"

#include <algorithm>
#include <numeric>

#include "assess/deal_folds.hpp"
#include "assess/mean_error.hpp"
#include "base/budget.hpp"
#include "search/relevances.hpp"

namespace cavity {

namespace {

constexpr std::size_t folds_of_many = 3;  // of more than enough samples two thirds tell nearly what all of them do

std::size_t fold_count(std::size_t samples) { return samples > enough_samples ? folds_of_many : folds_to_earn; }

struct Fold {
  std::vector<std::size_t> in, out;
};
Fold fold_of(const std::vector<std::size_t>& part, std::size_t which) {
  Fold out;
  for (std::size_t mu = 0; mu < part.size(); ++mu) (part[mu] == which ? out.out : out.in).push_back(mu);
  return out;
}

std::vector<double> some_of(std::span<const double> log_probability, const std::vector<std::size_t>& at) {
  std::vector<double> out;
  for (const std::size_t i : at) out.push_back(log_probability[i]);
  return out;
}

/// Relevances found without each fold, and what their cells say of it.
class Pruning {
 public:
  Pruning(const BentProblem& problem, std::span<const double> known, ThreadPool& pool)
      : problem_(problem),
        known_(known),
        pool_(pool),
        part_(deal_folds(problem.labels, problem.groups, fold_count(problem.labels.size()))) {}

  /// A flip, a sample. Empty where it does not pay, or a fold finds nothing.
  std::vector<std::vector<double>> left_out() {
    const std::size_t folds = *std::ranges::max_element(part_) + 1;
    if (!ask(0) || !pays()) return {};
    std::vector<char> good(folds, 1);
    pool_.run(folds - 1, [&](std::size_t k) { good[k + 1] = ask(k + 1); });
    return std::ranges::count(good, 0) == 0 ? std::move(said_) : std::vector<std::vector<double>>();
  }

 private:
  bool ask(std::size_t which) {
    const Fold fold = fold_of(part_, which);
    const std::optional<FeatureKernel> kernel = find_relevances(problem_, fold.in, pool_);
    if (!kernel) return false;
    const auto said = ask_bent_cells(problem_, *kernel, fold.in, fold.out, pool_);
    if (said.empty()) return false;
    if (which == 0) said_.assign(said.size(), std::vector<double>(part_.size()));
    for (std::size_t flip = 0; flip < said.size(); ++flip)
      for (std::size_t i = 0; i < fold.out.size(); ++i) said_[flip][fold.out[i]] = said[flip][i];
    return true;
  }

  bool pays() const {
    const Fold first = fold_of(part_, 0);
    return std::ranges::any_of(said_, [&](const std::vector<double>& one) {
      return clearly_better(some_of(one, first.out), some_of(known_, first.out), nullptr);
    });
  }

  const BentProblem& problem_;
  std::span<const double> known_;
  ThreadPool& pool_;
  std::vector<std::size_t> part_;
  std::vector<std::vector<double>> said_;
};

bool may_prune(const BentProblem& problem, std::size_t questions) {
  const std::size_t samples = problem.labels.size(), features = problem.design.total_features();
  if (features > samples) return false;
  const std::size_t folds = fold_count(samples);
  const double all = relevance_operations(samples, features) +
                     static_cast<double>(folds) * relevance_operations(samples - samples / folds, features);
  return static_cast<double>(questions) * all <= a_minute;
}

}  // namespace

std::vector<BentCell> pruned_cells(const BentProblem& problem, std::span<const double> known, std::size_t questions,
                                   ThreadPool& pool) {
  if (!may_prune(problem, questions)) return {};
  std::vector<std::vector<double>> said = Pruning(problem, known, pool).left_out();
  if (said.empty()) return {};
  std::vector<std::size_t> all(problem.labels.size());
  std::iota(all.begin(), all.end(), 0);
  const std::optional<FeatureKernel> kernel = find_relevances(problem, all, pool);
  if (!kernel) return {};
  std::vector<BentCell> cells = solve_bent_cells(problem, *kernel, bent_settings(problem.activation), pool);
  if (cells.size() != said.size()) return {};
  for (std::size_t flip = 0; flip < cells.size(); ++flip) {
    cells[flip].pruned = true;
    cells[flip].loo_log_probability = std::move(said[flip]);
  }
  return cells;
}

}  // namespace cavity
