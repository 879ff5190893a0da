#include "fit/average_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace cavity {

namespace {

/// Where a solver has found no fixed point its evidence means nothing.
bool has_evidence(const Solved& solved, std::size_t cell) {
  const Posterior& p = solved.posteriors[cell];
  return std::isfinite(p.log_evidence) &&
         (solved.grid.sampled(cell) ? usable(p.status) : p.status == Status::converged);
}

std::vector<HypothesisCell> hypotheses(const Solved& solved, double features) {
  std::vector<HypothesisCell> out;
  for (std::size_t k = 0; k < solved.posteriors.size(); ++k)
    out.push_back(
        {solved.grid.point(k).density * features, k % solved.grid.columns(), solved.grid.sampled(k),
         has_evidence(solved, k) ? solved.posteriors[k].log_evidence : std::numeric_limits<double>::quiet_NaN()});
  return out;
}

std::size_t densities(std::span<const HypothesisCell> cells) {
  std::set<double> kept;
  for (const HypothesisCell& c : cells)
    if (std::isfinite(c.log_evidence)) kept.insert(c.kept);
  return kept.size();
}

/// Of the number of features that a cell keeps, over all processes.
CountedCell count_of(double weight, const std::vector<double>& inclusion, const Shards& shards) {
  double sums[] = {0, 0};
  for (const double p : inclusion) {
    sums[0] += p;
    sums[1] += p * (1 - p);
  }
  shards.sum(sums);
  return {weight, sums[0], sums[1]};
}

DensityAverage summarise(const Solved& solved, const EvidenceWeights& evidence, double features) {
  DensityAverage out;
  for (const KeptHypothesis& h : evidence.kept) out.prior_inclusion += h.prior * h.kept / features;
  out.none = evidence.none();
  for (std::size_t k = 0; k < evidence.weight.size(); ++k)
    if (solved.grid.sampled(k)) out.few += evidence.weight[k];
  out.few = std::min(out.few, 1.0);
  return out;
}

}  // namespace

FeatureAverage average_features(const Solved& solved, const GridProblem& problem) {
  const auto features = static_cast<double>(problem.design.total_features());
  const std::vector<HypothesisCell> cells = hypotheses(solved, features);
  FeatureAverage out;
  if (densities(cells) < 2) return out;
  EvidenceWeights evidence = weigh_by_evidence(cells, log_evidence_of_none(problem.covariates, problem.labels));
  out.inclusion.assign(problem.design.features(), 0);
  std::vector<CountedCell> counted;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const double weight = evidence.weight[k];
    if (weight == 0) continue;
    const std::vector<double>& inclusion = solved.posteriors[k].inclusion;
    for (std::size_t l = 0; l < inclusion.size(); ++l) out.inclusion[l] += weight * inclusion[l];
    counted.push_back(count_of(weight, inclusion, problem.design.shards()));
  }
  out.relevant = count_relevant(counted, evidence.none(), features);
  out.summary = summarise(solved, evidence, features);
  out.weight = std::move(evidence.weight);
  out.hypotheses = std::move(evidence.kept);
  return out;
}

}  // namespace cavity
