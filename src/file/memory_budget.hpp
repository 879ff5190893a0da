// What little compressed data may ask for. Commas compress a thousandfold, and each may become a column with its
// accounts: so the memory that a text would take is held against a budget that grows with the bytes it came from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cavity {

/// A file of `compressed` bytes may take this much once it is unpacked and read: what a real table takes is far below.
constexpr std::size_t unpacked_budget(std::size_t compressed) {
  constexpr std::size_t free_bytes = std::size_t{128} << 20, ratio = 500;
  return free_bytes + ratio * compressed;
}

/// What reading takes at most, estimated from the lines, the columns of the longest one, and the values.
std::size_t bytes_to_read(std::string_view text);

/// InputError with the numbers where reading `text` would take more than the budget of the `compressed` bytes it came
/// from, or than `allowed`, where that is more.
void check_unpacked(std::string_view text, std::size_t compressed, std::size_t allowed, const std::string& path);

}  // namespace cavity
