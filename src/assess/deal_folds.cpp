#include "assess/deal_folds.hpp"

#include <algorithm>
#include <numeric>

namespace cavity {

std::vector<std::size_t> deal_folds(std::span<const std::int8_t> labels, std::size_t folds, Random random) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) std::swap(order[i], order[i + random.below(order.size() - i)]);
  std::ranges::stable_sort(order, {}, [&](std::size_t mu) { return labels[mu]; });
  std::vector<std::size_t> out(labels.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i % std::min(folds, labels.size());
  return out;
}

std::vector<std::size_t> deal_folds(std::span<const std::int8_t> labels, const SampleGroups* groups,
                                    std::size_t folds) {
  const Random random(1, dealing_stream);
  return groups ? deal_groups(*groups, labels, folds, random) : deal_folds(labels, folds, random);
}

}  // namespace cavity
