// Reproducible random streams: xoshiro256++ seeded by splitmix64 from (seed, stream), and the draws we need from it.
// The standard library's distributions differ between implementations; these do not.
#pragma once

#include <array>
#include <cstdint>

namespace cavity {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();
  double uniform();                      // in (0, 1), never 0 or 1
  std::uint64_t below(std::uint64_t n);  // uniform in [0, n), no modulo bias
  double normal();                       // standard normal
  double exponential();                  // mean 1
  double normal_above(double bound);     // standard normal given > bound, exact in the far tail
  bool bernoulli(double p) { return uniform() < p; }

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace cavity
