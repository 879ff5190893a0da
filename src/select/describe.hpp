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

/// With the notes of the preparation.
DataSummary describe_data(const Labelled& data, const Prepared& prepared);

}  // namespace cavity
