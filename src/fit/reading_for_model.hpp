// New data for a model that is there.
#pragma once

#include "cavity/model.hpp"
#include "cavity/read.hpp"

namespace cavity {

/// What the model says of the columns to come: features, classes, label, ids, covariates.
ReadOptions reading_for_model(const Model& model, ReadOptions options);

}  // namespace cavity
