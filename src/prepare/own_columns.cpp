#include "prepare/own_columns.hpp"

#include <algorithm>

namespace cavity {

ScaledColumns own_columns(const Inputs& inputs, const Shards& shards) {
  const ScaledColumns& all = inputs.columns;
  if (shards.alone()) return all;
  const Shards::Part part = shards.part(inputs.features.cols());
  const auto at = [&](std::size_t column) {
    return std::lower_bound(all.column.begin(), all.column.end(), column) - all.column.begin();
  };
  const auto cut = [first = at(part.first), last = at(part.last)](const auto& values) {
    return std::vector(values.begin() + first, values.begin() + last);
  };
  return {cut(all.column), cut(all.centre), cut(all.scale)};
}

}  // namespace cavity
