#include "assess/effective_count.hpp"

#include <algorithm>
#include <map>

namespace cavity {

double effective_count(std::span<const double> hits, std::span<const std::size_t> group_of) {
  const auto samples = static_cast<double>(hits.size());
  if (group_of.empty()) return samples;
  double p = 0, squares = 0;
  for (const double hit : hits) p += hit / samples;
  std::map<std::size_t, double> off;
  for (std::size_t i = 0; i < hits.size(); ++i) off[group_of[i]] += hits[i] - p;
  for (const auto& [group, sum] : off) squares += sum * sum;
  const auto groups = static_cast<double>(off.size());
  const double spread = *std::ranges::min_element(hits) < *std::ranges::max_element(hits) ? p * (1 - p) : 0;
  return spread > 0 ? std::clamp(spread * samples * samples / squares, groups, samples) : groups;
}

}  // namespace cavity
