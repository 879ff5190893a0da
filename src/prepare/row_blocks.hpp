// Rows in blocks, so that threads share them out evenly and results do not depend on their number.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/threads.hpp"

namespace cavity {

constexpr std::size_t block_rows = 16;

inline std::size_t row_blocks(std::size_t rows) { return (rows + block_rows - 1) / block_rows; }

template <class F>
void for_rows(std::size_t block, std::size_t rows, const F& work) {
  for (std::size_t i = block * block_rows; i < std::min(rows, (block + 1) * block_rows); ++i) work(i);
}

}  // namespace cavity
