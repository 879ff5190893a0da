#include "table/matrix_size.hpp"

#include <fmt/format.h>

#include "cavity/errors.hpp"
#include "file/bytes.hpp"
#include "file/messages.hpp"

namespace cavity {

void check_size(std::size_t rows, std::size_t cols, const std::string& path) {
  if (rows == 0) throw InputError(fmt::format("{}: no samples", shown_path(path)));
  if (cols == 0) throw InputError(fmt::format("{}: no features", shown_path(path)));
  const std::size_t limit = memory_limit();
  // A feature has a name too, which counts where there are few samples.
  const double column = sizeof(float) * static_cast<double>(rows) + sizeof(std::string);
  const double needed = column * static_cast<double>(cols);
  if (needed > static_cast<double>(limit)) {
    throw InputError(
        fmt::format("{}: {} samples x {} features need {:.3g} GB as a dense matrix, and {:.3g} GB can be used; "
                    "check the largest feature index or shape, or leave out features",
                    shown_path(path), rows, cols, 1e-9 * needed, 1e-9 * static_cast<double>(limit)));
  }
}

FeatureMatrix allocate_features(std::size_t rows, std::size_t cols, const std::string& path) {
  check_size(rows, cols, path);
  return FeatureMatrix(rows, cols);
}

std::vector<std::string> numbered_names(const std::string& prefix, std::size_t first, std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t i = 0; i < count; ++i) names.push_back(prefix + std::to_string(first + i));
  return names;
}

}  // namespace cavity
