#include "base/random.hpp"

#include <bit>
#include <cmath>

namespace cavity {

namespace {
std::uint64_t splitmix64(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}
}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t s = seed;
  std::uint64_t mixed = splitmix64(s) ^ (stream * 0xD1342543DE82EF95ULL + 1);
  for (auto& word : state_) word = splitmix64(mixed);
}

std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1.0p-52; }

std::uint64_t Random::below(std::uint64_t n) {
  const std::uint64_t limit = -n % n;  // 2^64 mod n: reject the incomplete last cycle
  std::uint64_t draw = bits();
  while (draw < limit) draw = bits();
  return draw % n;
}

double Random::normal() {  // Marsaglia's polar method
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double u = 0, v = 0, s = 0;
  do {
    u = 2 * uniform() - 1;
    v = 2 * uniform() - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  const double scale = std::sqrt(-2 * std::log(s) / s);
  spare_ = v * scale;
  has_spare_ = true;
  return u * scale;
}

double Random::exponential() { return -std::log(uniform()); }

// From here on the exponential is the tail to the last digit, and squares of the bound would leave the range of
// numbers.
constexpr double far_tail = 1e8;

double Random::normal_above(double bound) {
  if (bound < 0.5) {
    double x = normal();
    while (x <= bound) x = normal();
    return x;
  }
  // Robert (1995): exponential proposal with the optimal rate.
  if (!(bound <= far_tail)) return bound + exponential() / bound;
  const double rate = 0.5 * (bound + std::sqrt(bound * bound + 4));
  while (true) {
    const double x = bound + exponential() / rate;
    if (-std::log(uniform()) >= 0.5 * (x - rate) * (x - rate)) return x;
  }
}

}  // namespace cavity
