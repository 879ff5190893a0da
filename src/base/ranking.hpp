#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace cavity {

/// The first `most` of 0 .. count - 1 by falling value_of(index); equals keep their order, so that a list is the same
/// on every machine.
template <class ValueOf>
std::vector<std::size_t> falling_order(std::size_t count, std::size_t most, const ValueOf& value_of) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto before = [&](std::size_t a, std::size_t b) {
    const auto of_a = value_of(a), of_b = value_of(b);
    return of_a > of_b || (of_a == of_b && a < b);
  };
  most = std::min(most, count);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(), before);
  order.resize(most);
  return order;
}

template <class ValueOf>
std::vector<std::size_t> falling_order(std::size_t count, const ValueOf& value_of) {
  return falling_order(count, count, value_of);
}

}  // namespace cavity
