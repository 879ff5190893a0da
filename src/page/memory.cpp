#include "page/memory.hpp"

#include "table/table.hpp"

namespace cavity::page {

// Measured as the size of the heap after a fit: 35 MB of 62 x 2,000, 126 MB of 200 x 10,000, 71 MB of 600 x 2,000 and
// 237 MB of 60 x 50,000; this gives 41, 133, 95 and 252 MB.
double bytes_of_fit(const Dataset& data) {
  const auto samples = static_cast<double>(data.samples()), features = static_cast<double>(data.features.cols());
  const auto table = static_cast<double>(data.features.table().bytes());
  constexpr double fixed = 32e6;  // stack, program data, what is there before anything is read
  return fixed + 10 * table + 2000 * features + 32 * samples * samples;
}

}  // namespace cavity::page
