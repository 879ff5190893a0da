#include "classes/class_folds.hpp"

#include <algorithm>
#include <map>

namespace cavity {

std::size_t folds_of_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups) {
  constexpr std::size_t folds = 10;
  return std::min(folds, groups ? groups->count() : classes.size());
}

std::vector<std::size_t> deal_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups) {
  const std::size_t count = folds_of_classes(classes, groups);
  std::vector<std::size_t> out(classes.size());
  std::map<std::uint32_t, std::size_t> dealt;
  const auto deal = [&](std::uint32_t k) { return (k + dealt[k]++) % count; };
  if (!groups)
    for (std::size_t mu = 0; mu < classes.size(); ++mu) out[mu] = deal(classes[mu]);
  else
    for (const auto& members : groups->members) {
      const std::size_t fold = deal(classes[members.front()]);
      for (const std::size_t mu : members) out[mu] = fold;
    }
  return out;
}

std::vector<bool> common_classes(std::span<const std::uint32_t> classes) {
  constexpr std::size_t rare = 2;
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t k : classes) ++counts[k];
  std::vector<bool> out;
  for (const std::uint32_t k : classes) out.push_back(counts[k] > rare);
  return out;
}

}  // namespace cavity
