// Where things stand in a model file: the fixed 32 bytes at its start, and alignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace cavity {

inline constexpr std::string_view model_magic{"CAVITY\0\n", 8};
inline constexpr std::uint32_t model_version = 8;  // the newest that is read
inline constexpr std::size_t array_alignment = 64, checksum_size = 8;
/// Parsed JSON takes up to eighty times its text. Ours has some hundred bytes an array.
inline constexpr std::size_t longest_header = std::size_t{1} << 19;

struct FileStart {
  char magic[8];
  std::uint32_t version;
  std::uint32_t reserved;  // 0
  std::uint64_t file_size, header_size;
};
static_assert(sizeof(FileStart) == 32);

inline std::size_t aligned(std::size_t offset) {
  return (offset + array_alignment - 1) / array_alignment * array_alignment;
}

}  // namespace cavity
