// Samples of several classes in folds: what is fitted to the others is judged on those of one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"

namespace cavity {

/// Samples of a class that can tell of it: of rarer ones leave-one-out says next to nothing.
inline constexpr std::size_t fewest_of_a_class = 3;

/// As many as there are samples or groups, but at most as many as one by one are left out in (assess/deal_folds.hpp).
std::size_t folds_of_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups);

/// A sample: its fold. Class by class, or groups by the class that they begin with, in turn: a table in which classes
/// take turns would otherwise leave one of them out as a whole.
std::vector<std::size_t> deal_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups);

/// A sample: whether its class has enough.
std::vector<bool> common_classes(std::span<const std::uint32_t> classes);

}  // namespace cavity
