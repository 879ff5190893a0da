#include "base/shards.hpp"

#include <algorithm>
#include <numeric>

namespace cavity {

Shards::Part Shards::place(std::size_t mine) const {
  std::vector<double> counts(ranks(), 0);
  counts[rank()] = static_cast<double>(mine);
  sum(counts);
  const double first = std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(rank()), 0.0);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(first) + mine};
}

// By a sum, too: each process adds its own part to zeros. Vectors over features are joined once a fit, and a few short
// ones each update.
std::vector<double> Shards::join(std::span<const double> mine) const {
  if (alone()) return {mine.begin(), mine.end()};
  const std::size_t first = place(mine.size()).first;
  const double total = sum(static_cast<double>(mine.size()));
  std::vector<double> out(static_cast<std::size_t>(total), 0);
  std::copy(mine.begin(), mine.end(), out.begin() + static_cast<std::ptrdiff_t>(first));
  sum(out);
  return out;
}

double Shards::largest(double mine) const {
  const std::vector<double> values = join(std::span(&mine, 1));
  return *std::max_element(values.begin(), values.end());
}

const Shards& Shards::whole() {
  static const Shards one;
  return one;
}

}  // namespace cavity
