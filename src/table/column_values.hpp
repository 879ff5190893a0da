// Float32 columns that lie one after the other in memory or in a mapped file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace cavity {

struct ColumnValues {
  const float* values;
  std::size_t samples, columns;
  std::size_t most_resident = SIZE_MAX;  // bytes of the file that may be in memory at a time

  const float* column(std::size_t l) const { return values + l * samples; }
};

/// Calls work(begin, end) for consecutive ranges of `columns`, with the next one's bytes on their way and its own
/// handed back afterwards, where all together are beyond most_resident.
void for_each_window(const ColumnValues& values, std::span<const std::uint32_t> columns,
                     const std::function<void(std::size_t begin, std::size_t end)>& work);

}  // namespace cavity
