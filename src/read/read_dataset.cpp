// A data set from all the files that it is spread over.
#include <fmt/format.h>

#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/covariate_file.hpp"
#include "read/dataset_from_bytes.hpp"
#include "read/finish_features.hpp"
#include "read/genotypes.hpp"
#include "read/join_samples.hpp"
#include "read/read_parts.hpp"
#include "read/sample_sheet.hpp"
#include "read/tenx.hpp"

namespace cavity {

namespace {

Dataset read_table(const std::string& path, const ReadOptions& options) {
  if (names_tenx(path)) return read_tenx(path, options);
  if (!names_plink(path)) return dataset_from_bytes(read_bytes(path), path, options);
  Dataset dataset = read_genotypes(path, options);
  if (!options.compact) dataset.features.make_dense();
  return dataset;
}

Dataset read_with_sheet(const std::string& path, const ReadOptions& options) {
  if (!options.labels_file.empty())
    throw UsageError("labels stand in the sample sheet or in a file of their own: `samples` or `labels`, not both");
  const SampleSheet sheet = read_sample_sheet(options.sample_sheet, options);
  Dataset dataset = read_table(path, left_to_the_table(sheet, options));
  join_samples(sheet, options, dataset);
  return dataset;
}

/// Prediction names all of them.
Dataset read_with_covariates(const std::string& path, const ReadOptions& options) {
  const CovariateFile file = read_covariate_file(options.covariate_file);
  Dataset dataset = read_dataset(path, without_covariates_of(file, options));
  join_covariates(file, dataset);
  return dataset;
}

}  // namespace

void check_groups(const std::string& path, const ReadOptions& options, Dataset& dataset) {
  if (options.group.empty()) return;
  if (dataset.groups.empty())
    throw UsageError(fmt::format("{} has no column {}: groups of such a table stand in a sample sheet (`samples`)",
                                 shown_path(path), shown(options.group)));
  for (std::string& group : dataset.groups)
    if (read_value(group).kind == Kind::missing) group.clear();
}

ReadOptions without_covariates_of(const CovariateFile& file, const ReadOptions& options) {
  ReadOptions out = options;
  out.covariate_file.clear();
  std::erase_if(out.covariates, [&](const std::string& name) { return file.has(name); });
  return out;
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  if (!options.covariate_file.empty()) return read_with_covariates(path, options);
  Dataset dataset = options.sample_sheet.empty() ? read_table(path, options) : read_with_sheet(path, options);
  check_groups(path, options, dataset);
  join_duplicates(options, dataset);
  leave_out_ids(options, dataset);
  return dataset;
}

}  // namespace cavity
