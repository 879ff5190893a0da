#include "file/checksum.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cavity {

static_assert(std::endian::native == std::endian::little, "model files are little-endian");

namespace {

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87ULL, prime2 = 0xC2B2AE3D27D4EB4FULL, prime3 = 0x165667B19E3779F9ULL,
                        prime4 = 0x85EBCA77C2B2AE63ULL, prime5 = 0x27D4EB2F165667C5ULL;

template <class T>
std::uint64_t load(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t input) { return std::rotl(lane + input * prime2, 31) * prime1; }

}  // namespace

Checksum::Checksum() : lanes_{prime1 + prime2, prime2, 0, 0 - prime1} {}

void Checksum::stripe(const char* p) {
  for (std::size_t k = 0; k < 4; ++k) lanes_[k] = round(lanes_[k], load<std::uint64_t>(p + 8 * k));
}

void Checksum::add(std::string_view bytes) {
  total_ += bytes.size();
  if (held_ > 0) {
    const std::size_t taken = std::min(bytes.size(), pending_.size() - held_);
    std::copy_n(bytes.data(), taken, pending_.data() + held_);
    held_ += taken;
    bytes.remove_prefix(taken);
    if (held_ < pending_.size()) return;
    stripe(pending_.data());
    held_ = 0;
  }
  for (; bytes.size() >= pending_.size(); bytes.remove_prefix(pending_.size())) stripe(bytes.data());
  held_ = bytes.size();
  std::copy_n(bytes.data(), held_, pending_.data());
}

std::uint64_t Checksum::value() const {
  std::uint64_t h = prime5;
  if (total_ >= pending_.size()) {
    h = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) h = (h ^ round(0, lane)) * prime1 + prime4;
  }
  h += total_;
  const char* p = pending_.data();
  const char* const end = p + held_;
  for (; end - p >= 8; p += 8) h = std::rotl(h ^ round(0, load<std::uint64_t>(p)), 27) * prime1 + prime4;
  for (; end - p >= 4; p += 4) h = std::rotl(h ^ (load<std::uint32_t>(p) * prime1), 23) * prime2 + prime3;
  for (; p < end; ++p) h = std::rotl(h ^ (load<unsigned char>(p) * prime5), 11) * prime1;
  h = (h ^ h >> 33) * prime2;
  h = (h ^ h >> 29) * prime3;
  return h ^ h >> 32;
}

std::uint64_t checksum(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

}  // namespace cavity
