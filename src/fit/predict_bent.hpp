// What the bent cells of a question say of new samples, by kernels between these and the training samples.
#pragma once

#include <vector>

#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "cavity/model.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

struct NewSamples {
  const Applied& inputs;
  const FeatureMatrix& values;  // samples x inputs
  const Matrix& covariates;     // the intercept first, where there is one
};

/// P(+) of their mixture alone; empty where they have no share. samples x training samples x features operations.
std::vector<double> bent_probability(const TrainingRows& training, const CellMixture& mixture, const NewSamples& fresh,
                                     ThreadPool& pool);

}  // namespace cavity
