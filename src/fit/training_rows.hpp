// The rows that a model keeps: for the predictive variance of new samples, and to tell features that these lack by
// those that they have.
#pragma once

#include "cavity/model.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

/// Few enough values to be put into a model.
bool storable(const Prepared& prepared);

/// Of any solver: dense, and few enough for regressions on them.
bool tells_absent(const Prepared& prepared);

/// A copy: the table may serve other fits.
TrainingRows training_rows(const Prepared& prepared, const Shards& shards = Shards::whole());

}  // namespace cavity
