#include "fit/class_folds.hpp"

#include <algorithm>
#include <map>

#include "fit/stack.hpp"

namespace cavity {

std::size_t folds_of_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups) {
  constexpr std::size_t samples_in_all_fits = 40'000;
  const std::size_t folds = std::max(stacking_folds, samples_in_all_fits / std::max<std::size_t>(1, classes.size()));
  return std::min(folds, groups ? groups->count() : classes.size());
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
  constexpr std::size_t rare = 2;
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t k : classes) ++counts[k];
  std::vector<bool> out;
  for (const std::uint32_t k : classes) out.push_back(counts[k] > rare);
  return out;
}

}  // namespace cavity
