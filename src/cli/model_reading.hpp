// New data for a model that is there.
#pragma once

#include "cavity/prediction.hpp"
#include "cli/options.hpp"

namespace cavity::cli {

/// What the model says of the columns to come: features, classes, label, ids, covariates.
ReadOptions reading_for(const Model& model, const ReadFlags& flags, unsigned threads);

/// The same; where names are to be matched the file's columns all stay.
ReadOptions reading_for(const Model& model, const ReadFlags& flags, const PredictOptions& options);

/// What is done where the columns are not those of the model: --match, --least-explained.
void add_predict_options(CLI::App& command, PredictOptions& options);

/// How the data were read: format, orientation, who was not found.
void say_notes(const Dataset& data);

}  // namespace cavity::cli
