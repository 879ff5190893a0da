// How many independent samples would know a share as well as samples that come in groups.
#pragma once

#include <cstddef>
#include <span>

namespace cavity {

/// `hits` are 0 or 1 (a half for a tie), `group_of` the group of each sample, empty where each is alone. p (1 - p)/se^2
/// with se^2 = sum over groups of (sum of hit - p)^2 / samples^2; at least the groups, at most the samples. Where p is
/// 0 or 1 the spread between groups cannot be seen: the groups.
double effective_count(std::span<const double> hits, std::span<const std::size_t> group_of);

}  // namespace cavity
