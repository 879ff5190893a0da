#include "fit/average_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace cavity {

namespace {

/// Where a solver has found no fixed point its evidence means nothing.
bool has_evidence(const SolvedCell& c) {
  return std::isfinite(c.posterior->log_evidence) && (c.sampled() ? usable(c.status) : c.status == Status::converged);
}

std::vector<HypothesisCell> hypotheses(const std::vector<SolvedCell>& cells, std::size_t features) {
  std::vector<HypothesisCell> out;
  for (const SolvedCell& c : cells)
    out.push_back({c.kept(features), c.column, c.sampled(),
                   has_evidence(c) ? c.posterior->log_evidence : std::numeric_limits<double>::quiet_NaN()});
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

DensityAverage summarise(const std::vector<SolvedCell>& cells, const EvidenceWeights& evidence, double features) {
  DensityAverage out;
  for (const KeptHypothesis& h : evidence.kept) out.prior_inclusion += h.prior * h.kept / features;
  out.none = evidence.none();
  for (std::size_t k = 0; k < evidence.weight.size(); ++k)
    if (cells[k].sampled()) out.few += evidence.weight[k];
  out.few = std::min(out.few, 1.0);
  return out;
}

}  // namespace

FeatureAverage average_features(const std::vector<SolvedCell>& solved, const GridProblem& problem) {
  const auto features = static_cast<double>(problem.design.total_features());
  const std::vector<HypothesisCell> cells = hypotheses(solved, problem.design.total_features());
  FeatureAverage out;
  if (densities(cells) < 2) return out;
  EvidenceWeights evidence = weigh_by_evidence(cells, log_evidence_of_none(problem.covariates, problem.labels));
  out.inclusion.assign(problem.design.features(), 0);
  std::vector<CountedCell> counted;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const double weight = evidence.weight[k];
    if (weight == 0) continue;
    const std::vector<double>& inclusion = solved[k].posterior->inclusion;
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
