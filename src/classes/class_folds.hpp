// Samples of several classes in folds: what is fitted to nine tenths is judged on the rest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "leave/sample_groups.hpp"

namespace cavity {

/// Ten, or as many as there are samples or groups.
std::size_t folds_of_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups);

/// A sample: its fold. Every class, or the groups that begin with it, in turn: a table in which classes take turns
/// would otherwise leave one of them out as a whole.
std::vector<std::size_t> deal_classes(std::span<const std::uint32_t> classes, const SampleGroups* groups);

/// A sample: whether its class has more than two. Of rarer ones leave-one-out says next to nothing.
std::vector<bool> common_classes(std::span<const std::uint32_t> classes);

}  // namespace cavity
