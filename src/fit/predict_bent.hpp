// What the bent cells of a question say of new samples, by kernels between these and the training samples.
#pragma once

#include <vector>

#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "cavity/model.hpp"
#include "fit/partial_samples.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

struct NewSamples {
  const Applied& inputs;
  const FeatureMatrix& values;   // samples x inputs
  const Matrix& covariates;      // the intercept first, where there is one
  const Doubt* doubt = nullptr;  // where features are missing
};

/// P(+) of their mixture alone; empty where they have no share. samples x training samples x features operations.
/// Where features are missing: the mean of P over completions, the regression's guess plus what it missed of a training
/// sample that was left out, each. A bend does not see a mean of what is missing: at the guess alone it is far too
/// sure.
std::vector<double> bent_probability(const TrainingRows& training, const CellMixture& mixture, const NewSamples& fresh,
                                     ThreadPool& pool);

}  // namespace cavity
