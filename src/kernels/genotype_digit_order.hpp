#pragma once

#include <algorithm>
#include <bit>

#include "kernels/genotype_kernels.hpp"

namespace cavity::kernels::dot_product {

// Variants in the order of the digits that their numbers need, most first: most numbers are small beside the largest,
// and the digits that are 0 for a whole group of variants are left out. Groups are cut where the number changes.
class DigitOrder {
 public:
  /// `size`: a bound of a variant's numbers; `group`: variants taken together.
  template <class Size>
  DigitOrder(std::size_t variants, std::size_t group, const Size& size) : groups_((variants + group - 1) / group) {
    std::uint8_t digits[most_variants];
    std::size_t with[5] = {};  // variants with so many digits
    for (std::size_t i = 0; i < variants; ++i) {
      digits[i] = static_cast<std::uint8_t>(
          std::max((static_cast<unsigned>(std::bit_width(std::uint32_t{size(i)})) + 7) / 8, 2U));
      ++with[digits[i]];
    }
    std::size_t next[5] = {0, 0, with[4] + with[3], with[4], 0};
    for (std::size_t i = 0; i < variants; ++i) order_[next[digits[i]]++] = static_cast<std::uint8_t>(i);
    with_four_ = (with[4] + group - 1) / group;
    with_three_ = std::max(with_four_, (with[4] + with[3] + group - 1) / group);
  }

  std::size_t operator[](std::size_t place) const { return order_[place]; }
  std::size_t groups() const { return groups_; }
  std::size_t with_four() const { return with_four_; }    // groups [0, with_four) have four digits,
  std::size_t with_three() const { return with_three_; }  // [with_four, with_three) three, the others two

 private:
  std::uint8_t order_[most_variants];
  std::size_t groups_, with_four_, with_three_;
};

}  // namespace cavity::kernels::dot_product
