#include "design/copied_samples.hpp"

#include <algorithm>
#include <numeric>

namespace cavity {

FeatureMatrix copied_samples(const Design& design, std::span<const std::size_t> which) {
  constexpr std::size_t block = 64;  // columns at a time
  FeatureMatrix out(which.size(), design.features());
  Matrix values;
  for (std::size_t first = 0; first < design.features(); first += block) {
    std::vector<std::size_t> columns(std::min(block, design.features() - first));
    std::iota(columns.begin(), columns.end(), first);
    design.columns(columns, values);
    for (std::size_t i = 0; i < which.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j)
        out.row(i)[first + j] =
            static_cast<float>(values(static_cast<Eigen::Index>(which[i]), static_cast<Eigen::Index>(j)));
  }
  return out;
}

}  // namespace cavity
