#include "read/hdf5_heaps.hpp"

#include <cstddef>
#include <cstdint>

namespace cavity {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view begin_of_heap = "GCOL\1\0\0\0"sv, begin_of_file = "\x89HDF\r\n\x1a\n"sv;
constexpr std::size_t header = 16;  // of a heap, and of an object in it: with sizes of 8 bytes

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t length) {
  std::uint64_t out = 0;
  for (std::size_t k = length; k-- > 0;) out = out << 8 | static_cast<unsigned char>(bytes[at + k]);
  return out;
}

/// How many bytes a size takes, from the block that the file begins with (after 0, 512, 1024, ... bytes of others).
std::size_t bytes_of_sizes(std::string_view file) {
  for (std::size_t at = 0; at + header <= file.size(); at = at == 0 ? 512 : 2 * at)
    if (file.substr(at).starts_with(begin_of_file)) return number_at(file, at + (file[at + 8] < 2 ? 14 : 10), 1);
  return 0;
}

bool heap_is_sound(std::string_view rest) {
  if (rest.size() < header) return false;
  const std::uint64_t size = number_at(rest, 8, 8);
  if (size < header || size > rest.size()) return false;
  for (std::uint64_t at = header; at + header <= size;) {
    const std::uint64_t own = number_at(rest, at + 8, 8);
    if (own > size - at) return false;
    // Object 0 is the space that is free, its header with it; the others are filled up to whole eights.
    const std::uint64_t step = number_at(rest, at, 2) == 0 ? own : header + (own + 7) / 8 * 8;
    if (step < header || step > size - at) return false;
    at += step;
  }
  return true;
}

}  // namespace

bool hdf5_heaps_are_sound(std::string_view file) {
  std::size_t at = file.find(begin_of_heap);
  if (at == std::string_view::npos) return true;
  if (bytes_of_sizes(file) != 8) return false;
  for (; at != std::string_view::npos; at = file.find(begin_of_heap, at + 1))
    if (!heap_is_sound(file.substr(at))) return false;
  return true;
}

}  // namespace cavity
