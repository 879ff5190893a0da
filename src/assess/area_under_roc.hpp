// AUC = P(score of a positive > score of a negative) + P(tie)/2, alone: of thousands of labellings nothing else is
// asked.
#pragma once

#include <algorithm>
#include <vector>

namespace cavity {

/// How many of the sorted values are below v, ties counting half, as a share.
inline double placement(const std::vector<double>& sorted, double v) {
  const auto [below, above] = std::equal_range(sorted.begin(), sorted.end(), v);
  return 0.5 * static_cast<double>((below - sorted.begin()) + (above - sorted.begin())) /
         static_cast<double>(sorted.size());
}

/// Of both classes' scores, each sorted.
inline double area_under_roc(const std::vector<double>& positives, const std::vector<double>& negatives) {
  double out = 0;
  for (const double v : positives) out += placement(negatives, v) / static_cast<double>(positives.size());
  return std::clamp(out, 0.0, 1.0);
}

}  // namespace cavity
