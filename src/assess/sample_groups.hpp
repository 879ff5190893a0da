// Samples that belong together, as those of one patient do: they are left out together and dealt to one fold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace cavity {

struct SampleGroups {
  std::vector<std::vector<std::size_t>> members;  // a group, in the order of their first samples; ascending
  std::vector<std::size_t> of;                    // a sample: its group

  std::size_t count() const { return members.size(); }
  std::size_t largest() const;
};

/// Samples of one name are a group; a sample whose name is empty is one by itself.
SampleGroups gather_groups(std::span<const std::string> names);

/// A sample: its fold, from 0; those of a group share it. By chance, large groups first, each to the fold that has
/// fewest samples of its classes, so that both classes are spread as evenly as groups allow.
std::vector<std::size_t> deal_groups(const SampleGroups& groups, std::span<const std::int8_t> labels, std::size_t folds,
                                     Random random);

}  // namespace cavity
