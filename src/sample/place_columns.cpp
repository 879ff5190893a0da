#include "sample/place_columns.hpp"

#include <algorithm>

namespace cavity {

namespace {

constexpr std::size_t most_bytes = std::size_t{32} << 20, fewest_columns = 32;

}  // namespace

PlaceColumns::PlaceColumns(const Design& design)
    : design_(design),
      most_(std::max(fewest_columns, most_bytes / (sizeof(double) * (design.features() + design.samples())))) {}

Eigen::VectorXd PlaceColumns::values(std::size_t feature) const {
  if (const auto found = columns_.find(feature); found != columns_.end()) return found->second.values;
  Matrix column;
  design_.columns({&feature, 1}, column);
  return column.col(0);
}

void PlaceColumns::fetch(std::size_t feature, const std::vector<std::size_t>& in_use, ThreadPool& pool) {
  if (columns_.contains(feature)) return;
  if (columns_.size() >= most_)
    std::erase_if(columns_, [&](const auto& entry) { return std::ranges::find(in_use, entry.first) == in_use.end(); });
  PlaceColumn column{values(feature), {}};
  column.products.resize(design_.features());
  design_.transpose_times({column.values.data(), design_.samples()}, column.products, pool);
  columns_.emplace(feature, std::move(column));
}

}  // namespace cavity
