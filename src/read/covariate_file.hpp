// Covariates in a file of their own, for formats that have no room for them: a header and one line a sample.
#pragma once

#include <string>
#include <vector>

#include "cavity/dataset.hpp"
#include "file/bytes.hpp"

namespace cavity {

struct CovariateFile {
  std::string path;
  Bytes bytes;
  std::vector<std::string> names;  // of the covariates

  bool has(const std::string& name) const;
};

/// Columns separated by tabs, commas or spaces. One holds the samples' ids: IID (with FID before it, as PLINK writes
/// them) or the first; all others are covariates. InputError for a header without one.
CovariateFile read_covariate_file(const std::string& path);

/// All columns of the file become covariates of `dataset`. Lines of other samples are ignored, a sample without a line
/// is an InputError.
void join_covariates(const CovariateFile& file, Dataset& dataset);

}  // namespace cavity
