// Which features matter, whatever their number: an average over hypotheses of how many do, by evidence. Leave-one-out
// hardly tells densities apart and picks one of them; an average does not jump with the pick.
//   none          no feature at all: the always-kept columns alone (intercept, covariates)
//   a row         all cells that keep the same number of features, whatever their noise
// Before the labels are seen P(none) = 2/3, and the rest falls to the rows as 1/sqrt(kept). Over 100 tables of noise
// each, 40 x 500, 40 x 2000, 60 x 1000 and 100 x 200, the largest inclusion is then .5 or more in .02, .01, .02 and
// .01; with P(none) = 1/2 and all rows alike in .02, .01, .04 and .05, and where one to three planted genes decide
// among thousands that are stated with .1 to .2 are none. A row's evidence is the mean over the noises (columns) that
// were solved anywhere. The path solves all of them in one row and goes on in the best; what it left out is taken to be
// as much better or worse there as in the row that has most: with s_c the share of column c in that row's sum,
//   Z_row = sum over solved c of Z_row,c / (columns * sum over solved c of s_c).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cavity/fit.hpp"
#include "infer/problem.hpp"

namespace cavity {

inline constexpr double prior_of_none = 2.0 / 3;

/// A cell that was solved and has an evidence.
struct HypothesisCell {
  double kept = 0;          // features: cells that keep equally many are a row
  std::size_t column = 0;   // its noise
  bool own_column = false;  // a row of one noise that is its own (sampled cells)
  double log_evidence = 0;  // ln P(labels)
};

struct EvidenceWeights {
  std::vector<double> weight;        // a cell; with P(none | labels) they sum to 1
  std::vector<KeptHypothesis> kept;  // none first, then the rows by rising number
  double none() const { return kept.front().posterior; }
};

/// Cells without a finite evidence get no weight and are no hypothesis. std::invalid_argument where none has one.
EvidenceWeights weigh_by_evidence(std::span<const HypothesisCell> cells, double log_evidence_of_none);

/// ln P(labels) where no feature matters: the always-kept columns with their prior, P(y) = Phi(y z.gamma). It is what
/// the cells come to for features that say nothing: a field of variance 1 that is independent of the label.
double log_evidence_of_none(const Covariates& covariates, std::span<const std::int8_t> labels);

struct CountedCell {
  double weight = 0, mean = 0, variance = 0;  // of the number of features, given the cell
};
/// How many of `features` matter: what cells and none say together, each a normal number cut off at both ends.
RelevantCount count_relevant(std::span<const CountedCell> cells, double none, double features);

}  // namespace cavity
