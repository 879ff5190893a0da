#include <fmt/format.h>

#include <new>

#include "cavity/dataset.hpp"
#include "cavity/errors.hpp"
#include "data/content.hpp"
#include "data/csv.hpp"
#include "data/messages.hpp"
#include "data/npy.hpp"
#include "data/open_content.hpp"
#include "data/svmlight.hpp"

namespace cavity {

namespace {

Dataset read_content(const std::string& path, const ReadOptions& options) {
  const data::Bytes bytes = data::open_content(path);
  switch (data::detect_content(bytes.view(), path)) {
    case data::Content::npy:
      return data::read_npy(bytes, path, options);
    case data::Content::svmlight:
      return data::read_svmlight(bytes, path, options);
    case data::Content::table:
      return data::read_csv(bytes, path, options);
    default:
      throw InputError(fmt::format("{}: compressed twice; decompress it once", data::shown_path(path)));
  }
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  try {
    return read_content(path, options);
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{}: not enough memory to read it", data::shown_path(path)));
  }
}

}  // namespace cavity
