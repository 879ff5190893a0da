// Covariates in a file of their own, for formats that have no room for them: a header and one line a sample.
#pragma once

#include "cavity/dataset.hpp"

namespace cavity {

/// Columns separated by tabs, commas or spaces. Samples are found by the column IID (with FID before it, as PLINK
/// writes them) or by the first column; all other columns become covariates of `dataset`. Lines of other samples are
/// ignored, a sample without a line is an InputError.
void read_covariate_file(const std::string& path, Dataset& dataset);

}  // namespace cavity
