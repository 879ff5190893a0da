#include "fit/halves.hpp"

#include <algorithm>

namespace cavity {

HalfPair draw_halves(std::span<const std::int8_t> labels, const SampleGroups* groups, Random random) {
  HalfPair out;
  if (groups) {
    const std::vector<std::size_t> side = deal_groups(*groups, labels, 2, random);
    for (std::size_t mu = 0; mu < labels.size(); ++mu) (side[mu] == 0 ? out.first : out.second).push_back(mu);
    return out;
  }
  for (const std::int8_t wanted : {std::int8_t{-1}, std::int8_t{1}}) {
    std::vector<std::size_t> members;
    for (std::size_t mu = 0; mu < labels.size(); ++mu)
      if (labels[mu] == wanted) members.push_back(mu);
    for (std::size_t i = members.size(); i > 1; --i) std::swap(members[i - 1], members[random.below(i)]);
    const auto half = static_cast<std::ptrdiff_t>(members.size() / 2);
    out.first.insert(out.first.end(), members.begin(), members.begin() + half);
    out.second.insert(out.second.end(), members.begin() + half, members.begin() + 2 * half);
  }
  std::ranges::sort(out.first);
  std::ranges::sort(out.second);
  return out;
}

}  // namespace cavity
