#include "limits.hpp"

#include <time.h>

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limits.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::limits::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

float ReadAll(const float* values, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::Zero(d), b = a, c = a, e = a;
  for (std::size_t i = 0; i + 4 * lanes <= count; i += 4 * lanes) {
    a = hn::Add(a, hn::LoadU(d, values + i));
    b = hn::Add(b, hn::LoadU(d, values + i + lanes));
    c = hn::Add(c, hn::LoadU(d, values + i + 2 * lanes));
    e = hn::Add(e, hn::LoadU(d, values + i + 3 * lanes));
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
}

// Returns the multiply-adds done; twelve chains hide the latency and fit in the registers of every target.
template <class T>
std::size_t Multiply(std::size_t rounds, T* out) {
  const hn::ScalableTag<T> d;
  const auto a = hn::Set(d, *out), b = hn::Set(d, static_cast<T>(1e-3));
  auto s0 = hn::Set(d, static_cast<T>(0)), s1 = hn::Set(d, static_cast<T>(1)), s2 = hn::Set(d, static_cast<T>(2)),
       s3 = hn::Set(d, static_cast<T>(3)), s4 = hn::Set(d, static_cast<T>(4)), s5 = hn::Set(d, static_cast<T>(5)),
       s6 = hn::Set(d, static_cast<T>(6)), s7 = hn::Set(d, static_cast<T>(7)), s8 = hn::Set(d, static_cast<T>(8)),
       s9 = hn::Set(d, static_cast<T>(9)), sa = hn::Set(d, static_cast<T>(10)), sb = hn::Set(d, static_cast<T>(11));
  for (std::size_t i = 0; i < rounds; ++i) {
    s0 = hn::MulAdd(s0, a, b);
    s1 = hn::MulAdd(s1, a, b);
    s2 = hn::MulAdd(s2, a, b);
    s3 = hn::MulAdd(s3, a, b);
    s4 = hn::MulAdd(s4, a, b);
    s5 = hn::MulAdd(s5, a, b);
    s6 = hn::MulAdd(s6, a, b);
    s7 = hn::MulAdd(s7, a, b);
    s8 = hn::MulAdd(s8, a, b);
    s9 = hn::MulAdd(s9, a, b);
    sa = hn::MulAdd(sa, a, b);
    sb = hn::MulAdd(sb, a, b);
  }
  const auto low = hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(s4, s5));
  const auto high = hn::Add(hn::Add(hn::Add(s6, s7), hn::Add(s8, s9)), hn::Add(sa, sb));
  *out = hn::GetLane(hn::SumOfLanes(d, hn::Add(low, high)));
  return rounds * 12 * hn::Lanes(d);
}
std::size_t MultiplyFloat(std::size_t rounds, float* out) { return Multiply(rounds, out); }
std::size_t MultiplyDouble(std::size_t rounds, double* out) { return Multiply(rounds, out); }

}  // namespace cavity::limits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::limits {

HWY_EXPORT(ReadAll);
HWY_EXPORT(MultiplyFloat);
HWY_EXPORT(MultiplyDouble);

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

namespace {

template <class Work>
double best_rate(Work work) {  // work returns how much it did
  double best = 0;
  for (int trial = 0; trial < 5; ++trial) {
    const double start = cpu_seconds();
    const auto done = static_cast<double>(work());
    best = std::max(best, done / (cpu_seconds() - start));
  }
  return best;
}

constexpr std::size_t rounds = 3'000'000;

}  // namespace

double read_seconds(const float* values, std::size_t count) {
  const double start = cpu_seconds();
  volatile float sum = HWY_DYNAMIC_DISPATCH(ReadAll)(values, count);
  (void)sum;
  return cpu_seconds() - start;
}

double float_peak() {
  return best_rate([] {
    volatile float seed = 0.999F;
    float out = seed;
    return HWY_DYNAMIC_DISPATCH(MultiplyFloat)(rounds, &out);
  });
}

double double_peak() {
  return best_rate([] {
    volatile double seed = 0.999;
    double out = seed;
    return HWY_DYNAMIC_DISPATCH(MultiplyDouble)(rounds, &out);
  });
}

}  // namespace cavity::limits
#endif
