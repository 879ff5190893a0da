#include "fit/class_folds.hpp"

#include <algorithm>
#include <map>

#include "assess/deal_folds.hpp"

namespace cavity {

std::size_t folds_of_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups) {
  return std::min(most_parts, groups ? groups->count() : classes.size());
}

std::vector<std::size_t> deal_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups) {
  const std::size_t count = folds_of_classes(classes, groups);
  std::vector<std::vector<std::size_t>> sets;
  if (groups)
    sets = groups->members;
  else
    for (std::size_t mu = 0; mu < classes.size(); ++mu) sets.push_back({mu});
  std::ranges::stable_sort(sets, {}, [&](const auto& members) { return classes[members.front()]; });
  std::vector<std::size_t> out(classes.size());
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (const std::size_t mu : sets[i]) out[mu] = i % count;
  return out;
}

std::vector<bool> common_classes(std::span<const std::uint32_t> classes) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t k : classes) ++counts[k];
  std::vector<bool> out;
  for (const std::uint32_t k : classes) out.push_back(counts[k] >= fewest_of_a_class);
  return out;
}

}  // namespace cavity
