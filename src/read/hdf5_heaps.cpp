#include "read/hdf5_heaps.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

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

/// Number and length of every object but the space that is free.
using Objects = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Objects objects_of(std::string_view heap) {
  Objects out;
  const std::uint64_t size = number_at(heap, 8, 8);
  for (std::uint64_t at = header; at + header <= size;) {
    const std::uint64_t index = number_at(heap, at, 2), own = number_at(heap, at + 8, 8);
    if (index > 0) out.emplace_back(index, own);
    at += index == 0 ? own : header + (own + 7) / 8 * 8;
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Addresses are counted from the file's first byte: nothing of others stands before, and no other base is stated.
bool addresses_are_places(std::string_view file) {
  if (file.size() < 64 || !file.starts_with(begin_of_file)) return false;
  const bool old = file[8] < 2;
  return file[old ? 13 : 9] == 8 && number_at(file, old ? (file[8] == 0 ? 24 : 28) : 12, 8) == 0;
}

}  // namespace

bool hdf5_texts_are_there(std::string_view file, std::size_t at, std::size_t count) {
  if (!addresses_are_places(file) || at > file.size() || count > (file.size() - at) / header) return false;
  std::unordered_map<std::uint64_t, Objects> heaps;
  for (std::size_t i = 0; i < count; ++i, at += header) {
    const std::uint64_t length = number_at(file, at, 4), address = number_at(file, at + 4, 8);
    if (address == 0) continue;
    if (address >= file.size() || !file.substr(address).starts_with(begin_of_heap)) return false;
    const auto [heap, fresh] = heaps.try_emplace(address);
    if (fresh) heap->second = objects_of(file.substr(address));
    const std::pair<std::uint64_t, std::uint64_t> wanted{number_at(file, at + 12, 4), length};
    const auto found = std::lower_bound(heap->second.begin(), heap->second.end(), wanted);
    if (found == heap->second.end() || *found != wanted) return false;
    const bool again = (found != heap->second.begin() && std::prev(found)->first == wanted.first) ||
                       (std::next(found) != heap->second.end() && std::next(found)->first == wanted.first);
    if (again) return false;  // two of one number
  }
  return true;
}

bool hdf5_heaps_are_sound(std::string_view file) {
  std::size_t at = file.find(begin_of_heap);
  if (at == std::string_view::npos) return true;
  if (bytes_of_sizes(file) != 8) return false;
  for (; at != std::string_view::npos; at = file.find(begin_of_heap, at + 1))
    if (!heap_is_sound(file.substr(at))) return false;
  return true;
}

}  // namespace cavity
