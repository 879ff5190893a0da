#include "assess/roc.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/ranking.hpp"

namespace cavity {

namespace {

/// A step to the side after a step to the side, or upwards after upwards: the point between them says nothing.
bool straight(const RocPoint& a, const RocPoint& b, const RocPoint& c) {
  return (a.false_positive == b.false_positive && b.false_positive == c.false_positive) ||
         (a.true_positive == b.true_positive && b.true_positive == c.true_positive);
}

}  // namespace

std::vector<RocPoint> roc_corners(std::span<const double> probability, std::span<const std::int8_t> labels) {
  if (probability.size() != labels.size()) throw std::invalid_argument("as many probabilities as labels are needed");
  const std::vector<std::size_t> order = falling_order(labels.size(), [&](std::size_t i) { return probability[i]; });
  const auto positives = std::count_if(labels.begin(), labels.end(), [](std::int8_t y) { return y > 0; });
  const auto ups = static_cast<double>(positives), downs = static_cast<double>(labels.size()) - ups;
  if (ups == 0 || downs == 0) return {};
  std::vector<RocPoint> out = {{std::numeric_limits<double>::infinity(), 0, 0}};
  double true_positive = 0, false_positive = 0;
  for (std::size_t i = 0; i < order.size();) {
    const double threshold = probability[order[i]];
    for (; i < order.size() && probability[order[i]] == threshold; ++i)
      ++(labels[order[i]] > 0 ? true_positive : false_positive);
    const RocPoint next{threshold, false_positive / downs, true_positive / ups};
    if (out.size() > 1 && straight(out[out.size() - 2], out.back(), next)) out.pop_back();
    out.push_back(next);
  }
  return out;
}

}  // namespace cavity
