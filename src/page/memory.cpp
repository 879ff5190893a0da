#include "page/memory.hpp"

#include "table/table.hpp"

namespace cavity::page {

double bytes_of_fit(const Dataset& data) {
  const auto samples = static_cast<double>(data.samples()), features = static_cast<double>(data.features.cols());
  const auto table = static_cast<double>(data.features.table().bytes());
  return 3 * table + 8 * (20 * samples * samples + 200 * features);
}

}  // namespace cavity::page
