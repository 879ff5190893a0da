#include "table/column_values.hpp"

#include <algorithm>
#include <utility>

#include "file/pages.hpp"

namespace cavity {

void for_each_window(const ColumnValues& values, std::span<const std::uint32_t> columns,
                     const std::function<void(std::size_t begin, std::size_t end)>& work) {
  const std::size_t total = columns.size(), bytes = values.samples * sizeof(float);
  const bool fits =
      static_cast<double>(total) * static_cast<double>(bytes) <= static_cast<double>(values.most_resident);
  // The window at work and the one being fetched, each a quarter: pages come in clusters around those touched.
  const std::size_t width = fits ? total : std::max<std::size_t>(1, values.most_resident / 4 / bytes);
  const auto span_of = [&](std::size_t begin, std::size_t end) {
    const float* first = values.column(columns[begin]);
    return std::pair(first, static_cast<std::size_t>(values.column(columns[end - 1]) - first) * sizeof(float) + bytes);
  };
  for (std::size_t begin = 0; begin < total; begin += width) {
    const std::size_t end = std::min(total, begin + width), next = std::min(total, end + width);
    if (next > end) {
      const auto [from, size] = span_of(end, next);
      fetch_pages(from, size);
    }
    work(begin, end);
    if (fits) continue;
    const auto [from, size] = span_of(begin, end);
    release_pages(from, size);
  }
}

}  // namespace cavity
