// From the solved and chosen grid to what is known about the answer.
#pragma once

#include "choose/choose.hpp"
#include "grid/solve.hpp"
#include "select/check_data.hpp"

namespace cavity {

/// What the steps before have found.
struct Answer {
  const Labelled& data;
  const Prepared& prepared;
  const GridProblem& problem;
  const Solved& solved;
  const Choice& choice;

  bool has_intercept() const { return problem.covariates.count() > prepared.covariates.cols; }
};

Fit describe(const Answer& answer, const FitOptions& options, ThreadPool& pool);

/// All that belongs to the labels of the answer: without the data, the preprocessing, training rows, what was used and
/// warnings about them, which several answers on one table share.
Fit describe_labels(const Answer& answer, const FitOptions& options, ThreadPool& pool);

/// Whether a model keeps its training rows for the variance of new fields.
bool keeps_training(Solver solver, const Prepared& prepared, const FitOptions& options);

/// With the notes of the preparation.
DataSummary describe_data(const Labelled& data, const Prepared& prepared);

/// Says in the notes what is left out together.
void note_groups(const SampleGroups& groups, DataSummary& data);

Resources describe_resources(const Prepared& prepared, const Design& design, const ThreadPool& pool);

}  // namespace cavity
