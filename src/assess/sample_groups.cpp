#include "assess/sample_groups.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

namespace cavity {

std::size_t SampleGroups::largest() const {
  std::size_t out = 0;
  for (const auto& group : members) out = std::max(out, group.size());
  return out;
}

SampleGroups gather_groups(std::span<const std::string> names) {
  SampleGroups out;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t mu = 0; mu < names.size(); ++mu) {
    const std::size_t fresh = out.members.size();
    const std::size_t group = names[mu].empty() ? fresh : places.emplace(names[mu], fresh).first->second;
    if (group == fresh) out.members.emplace_back();
    out.members[group].push_back(mu);
    out.of.push_back(group);
  }
  return out;
}

std::vector<std::size_t> deal_groups(const SampleGroups& groups, std::span<const std::int8_t> labels, std::size_t folds,
                                     Random random) {
  using Counts = std::array<std::size_t, 2>;  // of the classes
  std::vector<std::size_t> order(groups.count()), out(labels.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) std::swap(order[i], order[i + random.below(order.size() - i)]);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t g) { return groups.members[g].size(); });
  std::vector<Counts> dealt(std::min(folds, groups.count()), Counts{});
  for (const std::size_t g : order) {
    Counts own{};
    for (const std::size_t mu : groups.members[g]) ++own[labels[mu] > 0 ? 1 : 0];
    const auto crowd = [&](const Counts& there) {
      return std::pair(own[0] * there[0] + own[1] * there[1], there[0] + there[1]);
    };
    const auto fold = std::ranges::min_element(dealt, {}, crowd) - dealt.begin();
    for (const std::size_t mu : groups.members[g]) out[mu] = static_cast<std::size_t>(fold);
    for (const std::size_t c : {0, 1}) dealt[static_cast<std::size_t>(fold)][c] += own[c];
  }
  return out;
}

}  // namespace cavity
