#include <fmt/format.h>

#include <new>
#include <utility>

#include "cavity/dataset.hpp"
#include "cavity/errors.hpp"
#include "data/content.hpp"
#include "data/covariate_file.hpp"
#include "data/csv.hpp"
#include "data/expand_content.hpp"
#include "data/genotype_table.hpp"
#include "data/matrix_market.hpp"
#include "data/messages.hpp"
#include "data/npy.hpp"
#include "data/preprocess.hpp"
#include "data/read_dataset.hpp"
#include "data/svmlight.hpp"

namespace cavity {

namespace {

Dataset read_content(data::Bytes bytes, const std::string& path, const ReadOptions& options) {
  switch (data::detect_content(bytes.view(), path)) {
    case data::Content::npy:
      return data::read_npy(std::move(bytes), path, options);
    case data::Content::svmlight:
      return data::read_svmlight(bytes, path, options);
    case data::Content::matrix_market:
      return data::read_matrix_market(bytes, path, options);
    case data::Content::table:
      return data::read_csv(bytes, path, options);
    default:
      throw InputError(fmt::format("{}: compressed twice; decompress it once", data::shown_path(path)));
  }
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  const bool genotypes = data::names_plink(path);
  Dataset dataset =
      genotypes ? data::read_genotypes(path, options) : data::dataset_from_bytes(data::read_bytes(path), path, options);
  if (genotypes && !options.compact) data::make_dense(dataset);
  if (!options.covariate_file.empty()) data::read_covariate_file(options.covariate_file, dataset);
  return dataset;
}

Dataset data::dataset_from_bytes(Bytes bytes, const std::string& path, const ReadOptions& options) {
  try {
    return read_content(expand_content(std::move(bytes), path), path, options);
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{}: not enough memory to read it", shown_path(path)));
  }
}

}  // namespace cavity
