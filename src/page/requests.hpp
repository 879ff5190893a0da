// What the page asks of the library. A request and its answer are JSON objects; files are named as they lie in the file
// system of the worker, where the page has put them and where results are left for it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cavity/read.hpp"

namespace cavity::page {

using Json = nlohmann::ordered_json;

/// How a table is to be read: file, samples (a sample sheet), labels (a file), label, group, id, covariates, sheet,
/// orientation.
ReadOptions reading(const Json& request);

/// What was understood of a table: samples, features, classes, label, missing values, notes, columns to choose from,
/// and the memory that a fit will need against what there is.
Json inspect(const Json& request);

/// Leaves the report, the model, the leave-one-out predictions and the features as files; the answer names them and
/// holds the report's data.
Json fit(const Json& request);

/// New samples under a saved model: leaves the predictions as a file.
Json predict(const Json& request);

/// Two tables made on the spot, as `make demo` has them: samples to learn from, and new ones.
Json example(const Json& request);

/// Any of these by the request's "do". What goes wrong is an answer with "error", in the command line's words.
std::string answer(const std::string& request);

}  // namespace cavity::page
