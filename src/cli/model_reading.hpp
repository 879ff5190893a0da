// New data for a model that is there.
#pragma once

#include "cavity/model.hpp"
#include "cli/options.hpp"

namespace cavity::cli {

/// What the model says of the columns to come: features, classes, label, ids, covariates.
ReadOptions reading_for(const Model& model, const ReadFlags& flags, unsigned threads);

/// How the data were read: format, orientation, who was not found.
void say_notes(const Dataset& data);

}  // namespace cavity::cli
