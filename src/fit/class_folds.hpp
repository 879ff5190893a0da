// Samples of several classes in folds: what is fitted to the others is judged on those of one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"

namespace cavity {

/// As many as there are samples or groups, up to 200 samples; then fewer, 40,000 divided by their number, and at least
/// as many as a stack has: all fits together cost at most as much as one fit to 40,000 samples, or ten to all.
std::size_t folds_of_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups);

/// A sample: its fold. Class by class, or groups by the class that they begin with, in turn: a table in which classes
/// take turns would otherwise leave one of them out as a whole.
std::vector<std::size_t> deal_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups);

/// A sample: whether its class has more than two. Of rarer ones leave-one-out says next to nothing.
std::vector<bool> common_classes(std::span<const std::uint32_t> classes);

}  // namespace cavity
