// Runs one baseline on a prepared table and brings what it found into the parts of a model.
#pragma once

#include "cavity/baselines.hpp"
#include "infer/problem.hpp"
#include "prepare/make_design.hpp"

namespace cavity {

struct BaselineJob {
  const BaselineOptions& options;
  const Inputs& inputs;
  const Design& design;
  const std::vector<std::int8_t>& labels;
  const Covariates& covariates;
  ThreadPool& pool;
};

struct BaselineOutcome {
  Component component;
  Cell cell;
  double covariate_precision = 0;     // prior precision of intercept and covariates, in units of 1/density
  std::vector<double> inclusion, sd;  // an input
  std::vector<double> field;          // a training sample, without the label
  std::vector<double> left_out;       // P(+) of each sample by its fold's refit; may be empty
};

BaselineOutcome run_baseline(const BaselineJob& job);

}  // namespace cavity
