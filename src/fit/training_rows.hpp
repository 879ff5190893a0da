// The rows that a model keeps for the predictive variance of new samples.
#pragma once

#include "cavity/model.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

/// Few enough values to be put into a model.
bool storable(const Prepared& prepared);

/// A copy: the table may serve other fits.
TrainingRows training_rows(const Prepared& prepared, const Shards& shards = Shards::whole());

}  // namespace cavity
