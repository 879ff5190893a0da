// Arguments of a job as the library's records.
#pragma once

#include <string>
#include <vector>

#include "cavity/dataset.hpp"
#include "cavity/fit_options.hpp"
#include "cavity/prediction.hpp"
#include "job.hpp"

/// "x" as a matrix or as the slots of a sparse one, names, covariates; of training data also classes and groups.
cavity::Dataset dataset_of(const cavity_value& arguments);

/// The argument "model".
const cavity::Model& model_of(const cavity_job& job);

/// New samples: columns without names are those of the model; labels, where there are any, are positions of its
/// classes, one beyond them of a sample whose class is not known.
cavity::Dataset cohort_of(const cavity_value& arguments, const cavity::Model& model);

/// What is done where the columns are not those of the model.
cavity::PredictOptions predict_options_of(const cavity_value& arguments);

/// What R's options() list holds; the observer asks the job.
cavity::FitOptions options_of(const cavity_value& options, cavity_job& job);

/// The readers' names for a table without them: x1, x2, ... for features, 1, 2, ... for samples.
std::vector<std::string> default_names(const std::string& prefix, std::size_t count);
