#include "choose/choose.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "choose/expected_share.hpp"
#include "choose/recalibrate.hpp"
#include "choose/stack.hpp"

namespace cavity {

namespace {

constexpr double least_share = 0.25;  // of sampled cells: a smaller one differs from seed to seed by as much as it is
constexpr double extreme_site = 20;   // V omega of a sample: its own site dominates what the others say

// Of a mixture the cells whose leave-one-out can be trusted; where there are none, those that converged, and so on.
std::vector<std::size_t> candidates(Selection selection, const Grid& grid, const std::vector<Posterior>& posteriors,
                                    std::size_t features) {
  const auto all_with = [&](const auto& wanted) {
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < posteriors.size(); ++k)
      if (wanted(k)) out.push_back(k);
    return out;
  };
  const auto sound = [&](std::size_t k) { return reliable_cell(posteriors[k], grid.point(k).density, features); };
  if (auto some = all_with(sound); selection == Selection::stack && !some.empty()) return some;
  for (const Status wanted : {Status::converged, Status::restricted})
    if (auto some = all_with([&](std::size_t k) { return posteriors[k].status == wanted; }); !some.empty()) return some;
  std::vector<std::size_t> out;  // nothing converged: the least bad, and the caller says so
  for (std::size_t k = 0; k < posteriors.size(); ++k)
    if (!posteriors[k].loo_log_probability.empty() && std::isfinite(posteriors[k].loo_log_loss)) out.push_back(k);
  if (out.empty()) return out;
  return {*std::min_element(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    return posteriors[a].residual < posteriors[b].residual;
  })};
}

std::vector<std::vector<double>> gather(const std::vector<Posterior>& posteriors,
                                        const std::vector<std::size_t>& cells) {
  std::vector<std::vector<double>> out;
  for (const std::size_t k : cells) out.push_back(posteriors[k].loo_log_probability);
  return out;
}

struct Mixture {
  std::vector<std::size_t> cells;
  std::vector<double> weight;           // a cell
  std::vector<double> log_probability;  // a sample: left out
  std::vector<double> flattered;        // the same by weights that have seen it
  PartRecalibration recalibration{};
};

Mixture mix(const std::vector<Posterior>& posteriors, std::vector<std::size_t> cells, const SampleGroups* groups) {
  const auto all = gather(posteriors, cells);
  Mixture out{std::move(cells), stacking_weights(all), cross_fitted_log_probability(all, groups), {}};
  out.flattered = mixed_log_probability(all, out.weight);
  return out;
}

/// Brings what a mixture says of samples left out to its end.
std::optional<Recalibration> finish(bool recalibrate, std::vector<double>& log_probability) {
  ThreadPool alone(1);
  const std::optional<Recalibration> out = recalibrate ? fit_recalibration(log_probability, alone) : std::nullopt;
  if (out) recalibrate_log_probability(*out, log_probability);
  return out;
}

/// The same by what has not seen the sample.
std::vector<double> finish_crossed(const std::optional<Recalibration>& of_all, std::vector<double> log_probability,
                                   const SampleGroups* groups) {
  ThreadPool alone(1);
  return of_all ? cross_recalibrated_log_probability(std::move(log_probability), *of_all, groups, alone)
                : log_probability;
}

double log_mixed(double share, double first, double second) {
  return std::log((1 - share) * std::exp(first) + share * std::exp(second));
}

// Sampled cells speak for few features and are sure of it, the others for many and are careful: stacked as they are the
// former win even where the latter, recalibrated, know better. So both are brought to their end first. And few samples
// do not tell which of the two is right: each has the share that is expected of it, not the likeliest one.
void take_share(const SampleGroups* groups, bool recalibrate, Mixture sampled, Mixture& out) {
  std::vector<double> usual = out.log_probability, unusual = sampled.log_probability;
  const PartRecalibration recalibration{finish(recalibrate, unusual), finish(recalibrate, usual)};
  const ExpectedShare expected(usual, unusual);
  const double share = expected.of_all();
  if (share < least_share) return;
  out.recalibration = recalibration;
  for (double& w : out.weight) w *= 1 - share;
  for (std::size_t i = 0; i < sampled.cells.size(); ++i) {
    out.cells.push_back(sampled.cells[i]);
    out.weight.push_back(share * sampled.weight[i]);
  }
  if (recalibration.others) recalibrate_log_probability(*recalibration.others, out.flattered);
  if (recalibration.sampled) recalibrate_log_probability(*recalibration.sampled, sampled.flattered);
  for (std::size_t mu = 0; mu < usual.size(); ++mu)
    out.flattered[mu] = log_mixed(share, out.flattered[mu], sampled.flattered[mu]);
  // The share and the recalibrations are found without the sample, as the weights are.
  usual = finish_crossed(recalibration.others, std::move(out.log_probability), groups);
  unusual = finish_crossed(recalibration.sampled, std::move(sampled.log_probability), groups);
  out.log_probability.resize(usual.size());
  for (std::size_t fold = 0; fold < stacking_folds; ++fold) {
    const auto held_out = [&](std::size_t mu) { return stacking_fold(mu, groups) == fold; };
    const double others = expected.without(held_out);
    for (std::size_t mu = 0; mu < usual.size(); ++mu)
      if (held_out(mu)) out.log_probability[mu] = log_mixed(others, usual[mu], unusual[mu]);
  }
}

Mixture best_mixture(const Grid& grid, const std::vector<Posterior>& posteriors, const std::vector<std::size_t>& cells,
                     const SampleGroups* groups, bool recalibrate) {
  std::vector<std::size_t> sampled, usual;
  for (const std::size_t k : cells) (grid.sampled(k) ? sampled : usual).push_back(k);
  if (sampled.empty() || usual.empty()) return mix(posteriors, cells, groups);
  Mixture out = mix(posteriors, std::move(usual), groups);
  take_share(groups, recalibrate, mix(posteriors, std::move(sampled), groups), out);
  return out;
}

std::size_t best_cell(Selection selection, const std::vector<Posterior>& posteriors,
                      const std::vector<std::size_t>& cells) {
  const auto better = [&](std::size_t a, std::size_t b) {
    const Posterior &p = posteriors[a], &q = posteriors[b];
    if (selection == Selection::evidence) return p.log_evidence > q.log_evidence;
    if (selection == Selection::loo_error && p.loo_error != q.loo_error) return p.loo_error < q.loo_error;
    return p.loo_log_loss < q.loo_log_loss;
  };
  std::size_t best = cells.front();
  for (const std::size_t k : cells)
    if (better(k, best)) best = k;
  return best;
}

}  // namespace

bool reliable_cell(const Posterior& posterior, double density, std::size_t features) {
  if (posterior.status == Status::not_mixed) return posterior.by_folds;
  if (posterior.status != Status::converged || posterior.doubtful) return false;
  return posterior.by_folds ||
         density * static_cast<double>(features) >= std::min(fewest_reliable, 0.5 * static_cast<double>(features));
}

Choice choose(Selection selection, const Grid& grid, const std::vector<Posterior>& posteriors, std::size_t features,
              const SampleGroups* groups, bool recalibrate) {
  Choice choice;
  choice.weight.assign(posteriors.size(), 0);
  const std::vector<std::size_t> cells = candidates(selection, grid, posteriors, features);
  choice.any_converged = !cells.empty() && usable(posteriors[cells.front()].status);
  if (cells.empty()) return choice;
  const bool no_evidence = selection == Selection::evidence && std::isnan(posteriors[cells.front()].log_evidence);
  if (selection == Selection::stack && cells.size() > 1) {
    Mixture mixture = best_mixture(grid, posteriors, cells, groups, recalibrate);
    for (std::size_t i = 0; i < mixture.cells.size(); ++i) choice.weight[mixture.cells[i]] = mixture.weight[i];
    choice.loo_log_probability = std::move(mixture.log_probability);
    choice.flattered_log_probability = std::move(mixture.flattered);
    choice.part_recalibration = mixture.recalibration;
    choice.heaviest =
        static_cast<std::size_t>(std::max_element(choice.weight.begin(), choice.weight.end()) - choice.weight.begin());
  } else {
    choice.heaviest = best_cell(no_evidence ? Selection::loo_log_loss : selection, posteriors, cells);
    choice.weight[choice.heaviest] = 1;
    choice.loo_log_probability = posteriors[choice.heaviest].loo_log_probability;
  }
  const Posterior& main = posteriors[choice.heaviest];
  choice.loo_reliable.assign(main.loo_log_probability.size(), usable(main.status));
  for (std::size_t mu = 0; mu < main.sample_site_precision.size(); ++mu)
    if (main.sample_site_precision[mu] * main.cavity_variance[mu] > extreme_site) choice.loo_reliable[mu] = false;
  return choice;
}

}  // namespace cavity
