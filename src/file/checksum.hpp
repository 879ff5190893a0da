// XXH64 (Collet, https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md), seed 0: a 64-bit checksum at memory speed.
// It finds accidents, not forgeries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cavity {

class Checksum {
 public:
  Checksum();
  void add(std::string_view bytes);
  std::uint64_t value() const;

 private:
  void stripe(const char* p);

  std::array<std::uint64_t, 4> lanes_;
  std::array<char, 32> pending_{};
  std::size_t held_ = 0;
  std::uint64_t total_ = 0;
};

std::uint64_t checksum(std::string_view bytes);

}  // namespace cavity
