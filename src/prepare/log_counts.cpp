#include "prepare/log_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "table/sparse_table.hpp"

namespace cavity {

namespace {

struct Place {
  std::size_t sample, feature;
};

std::string named(const std::vector<std::string>& names, std::size_t i) {
  return i < names.size() ? shown(names[i]) : std::to_string(i + 1);
}

}  // namespace

bool holds_counts(const FeatureTable& features, const Shards& shards) {
  const auto* sparse = dynamic_cast<const SparseTable*>(&features.table());
  if (!sparse) return false;
  bool counts = true, ones = true;
  for (const float value : sparse->values().value) {
    if (std::isnan(value)) continue;
    counts = counts && value >= 0 && value == std::floor(value) && std::isfinite(value);
    ones = ones && value <= 1;
  }
  const bool all_counts = shards.all(counts), all_ones = shards.all(ones);
  return all_counts && !all_ones;
}

void take_logs(FeatureTable& features, const std::vector<std::string>& feature_names,
               const std::vector<std::string>& sample_names) {
  const auto take = [&](float& value, const Place& at) {
    if (std::isnan(value)) return;
    if (!(value >= 0) || std::isinf(value))
      throw InputError(
          fmt::format("sample {}, feature {}: {} is no count, and ln(1 + value) is for counts; "
                      "`value_transform=none` takes the values as they are",
                      named(sample_names, at.sample), named(feature_names, at.feature), value));
    value = std::log1p(value);
  };
  if (features.table().sparse()) {
    CompressedColumns& columns = features.sparse();
    for (std::size_t l = 0; l < columns.columns(); ++l)
      for (auto k = columns.start[l]; k < columns.start[l + 1]; ++k) take(columns.value[k], {columns.row[k], l});
    return;
  }
  if (!features.is_dense()) throw UsageError("ln(1 + value) is for dense and sparse tables");
  FeatureMatrix& values = features.dense();
  values.own();
  for (std::size_t i = 0; i < values.rows; ++i)
    for (std::size_t l = 0; l < values.cols; ++l) take(values.row(i)[l], {i, l});
}

}  // namespace cavity
