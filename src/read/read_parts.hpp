// Steps of reading that one table and several have in common.
#pragma once

#include <string>

#include "cavity/read.hpp"
#include "read/covariate_file.hpp"

namespace cavity {

/// Asked for and found, or a UsageError; what is not known is no group.
void check_groups(const std::string& path, const ReadOptions& options, Dataset& dataset);

/// What is left to be read elsewhere: neither the table nor the sheet is asked for what the covariate file has.
ReadOptions without_covariates_of(const CovariateFile& file, const ReadOptions& options);

}  // namespace cavity
