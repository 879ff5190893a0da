// From the answers of the questions to what is known of them: every number that is printed, drawn or stored.
#pragma once

#include "cavity/fit.hpp"
#include "fit/calibrate.hpp"

namespace cavity {

Fit describe(const FitTable& table, const std::vector<Answer>& answers, const Calibrated& calibrated,
             const FitOptions& options, ThreadPool& pool);

/// With the notes of the preparation.
DataSummary describe_data(const Labelled& samples, const Prepared& prepared);

}  // namespace cavity
