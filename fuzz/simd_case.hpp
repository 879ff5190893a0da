// A kernel's inputs drawn from the fuzzer's bytes, what a plain loop makes of them, and how far a SIMD level may be
// off.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace cavity::fuzz {

/// Numbers from bytes; where these end, from what they were.
class Draw {
 public:
  Draw(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {
    for (std::size_t i = 0; i < size; ++i) state_ = (state_ ^ data[i]) * 0x100000001b3U;
  }

  std::uint8_t byte() {
    if (at_ != end_) return *at_++;
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint8_t>(state_ >> 56);
  }
  std::uint32_t word() {
    std::uint32_t out = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) out |= std::uint32_t{byte()} << shift;
    return out;
  }
  /// first to last, both of them included.
  std::size_t from_to(std::size_t first, std::size_t last) {
    const std::size_t low = byte();
    return first + (low | std::size_t{byte()} << 8U) % (last - first + 1);
  }
  /// Any size from 2^-10 to 2^12 and either sign, often 0: sums of them cancel.
  double real() {
    const unsigned kind = byte();
    return kind % 8 == 0 ? 0 : std::ldexp(static_cast<double>(byte()) - 127.5, static_cast<int>(kind / 16) - 10);
  }
  double between(double low, double high) { return low + (high - low) * (word() / 4294967295.0); }

  template <class T = double>
  std::vector<T> reals(std::size_t n) {
    std::vector<T> out(n);
    for (T& x : out) x = static_cast<T>(real());
    return out;
  }
  std::vector<double> between(double low, double high, std::size_t n) {
    std::vector<double> out(n);
    for (double& x : out) x = between(low, high);
    return out;
  }

 private:
  const std::uint8_t *at_, *end_;
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

/// A sum and the sum of what was added without its signs, which rounding is measured by.
struct Sum {
  double value = 0, size = 0;
  void add(double x) { value += x, size += std::abs(x); }
};

struct Case {
  std::function<std::vector<double>()> run;  // by the SIMD level at hand
  std::vector<Sum> expected;
  double tolerance;  // of the size; 0: to the bit
};

inline constexpr double in_double = 1e-12, in_single = 2e-5;

template <class T>
std::vector<double> widened(const std::vector<T>& v) {
  return {v.begin(), v.end()};
}

/// What each file of cases holds.
using MakeCase = Case (*)(Draw&);
std::vector<MakeCase> dense_cases();
std::vector<MakeCase> sparse_cases();
std::vector<MakeCase> genotype_cases();
std::vector<MakeCase> prior_cases();

}  // namespace cavity::fuzz
