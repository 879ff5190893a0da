#include "kernels/anderson_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/anderson_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

constexpr std::size_t group = 4;  // vectors at once: group^2 sums stay in registers

using Group = const double* [group];

// Vectors [first, first + group); past the end the last one again.
HWY_INLINE void take(std::span<const double* const> vectors, std::size_t first, Group& out) {
  for (std::size_t i = 0; i < group; ++i) out[i] = vectors[std::min(first + i, vectors.size() - 1)];
}

HWY_INLINE void multiply_groups(const Group& a, const Group& b, const double* weight, std::size_t begin,
                                std::size_t end, double (&out)[group][group]) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V sum[group][group];
  for (auto& row : sum)
    for (auto& v : row) v = hn::Zero(d);
  std::size_t l = begin;
  for (; l + lanes <= end; l += lanes) {
    const V w = hn::LoadU(d, weight + l), w2 = hn::Mul(w, w);
    V right[group];
    for (std::size_t j = 0; j < group; ++j) right[j] = hn::LoadU(d, b[j] + l);
    for (std::size_t i = 0; i < group; ++i) {
      const V left = hn::Mul(w2, hn::LoadU(d, a[i] + l));
      for (std::size_t j = 0; j < group; ++j) sum[i][j] = hn::MulAdd(left, right[j], sum[i][j]);
    }
  }
  for (std::size_t i = 0; i < group; ++i)
    for (std::size_t j = 0; j < group; ++j) {
      out[i][j] = hn::GetLane(hn::SumOfLanes(d, sum[i][j]));
      for (std::size_t k = l; k < end; ++k) out[i][j] += weight[k] * weight[k] * a[i][k] * b[j][k];
    }
}

void WeightedProductsTarget(std::span<const double* const> vectors, std::span<const double> weight, double* out) {
  const std::size_t count = vectors.size();
  std::fill_n(out, count * count, 0.0);
  for (std::size_t begin = 0; begin < weight.size(); begin += strip) {
    const std::size_t end = std::min(begin + strip, weight.size());
    for (std::size_t i0 = 0; i0 < count; i0 += group)
      for (std::size_t j0 = 0; j0 <= i0; j0 += group) {
        Group a, b;
        take(vectors, i0, a);
        take(vectors, j0, b);
        double products[group][group];
        multiply_groups(a, b, weight.data(), begin, end, products);
        for (std::size_t i = i0; i < std::min(i0 + group, count); ++i)
          for (std::size_t j = j0; j < std::min(j0 + group, i + 1); ++j) out[i * count + j] += products[i - i0][j - j0];
      }
  }
}

// out += sum_i scale_i v_i, one vector of coordinates from l.
HWY_INLINE void add_group(const Group& v, const double (&scale)[group], std::size_t l, double* out) {
  const D d;
  V sum = hn::LoadU(d, out);
  for (std::size_t i = 0; i < group; ++i) sum = hn::MulAdd(hn::Set(d, scale[i]), hn::LoadU(d, v[i] + l), sum);
  hn::StoreU(sum, d, out);
}

void AddScaledTarget(std::span<const double* const> vectors, std::span<const double> factor, std::span<double> out) {
  const std::size_t lanes = hn::Lanes(D());
  for (std::size_t i0 = 0; i0 < vectors.size(); i0 += group) {
    Group v;
    take(vectors, i0, v);
    double scale[group];
    for (std::size_t i = 0; i < group; ++i) scale[i] = i0 + i < vectors.size() ? factor[i0 + i] : 0.0;
    std::size_t l = 0;
    for (; l + lanes <= out.size(); l += lanes) add_group(v, scale, l, out.data() + l);
    // The rest in a vector too: a coordinate is rounded alike wherever it stands.
    if (const std::size_t rest = out.size() - l; rest > 0) {
      HWY_ALIGN double values[group][HWY_MAX_BYTES / sizeof(double)] = {};
      HWY_ALIGN double sums[HWY_MAX_BYTES / sizeof(double)] = {};
      Group padded;
      for (std::size_t i = 0; i < group; ++i) padded[i] = std::copy_n(v[i] + l, rest, values[i]) - rest;
      std::copy_n(out.data() + l, rest, sums);
      add_group(padded, scale, 0, sums);
      std::copy_n(sums, rest, out.data() + l);
    }
  }
}

}  // namespace cavity::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::kernels {

HWY_EXPORT(WeightedProductsTarget);
HWY_EXPORT(AddScaledTarget);

void weighted_products(std::span<const double* const> vectors, std::span<const double> weight, double* out) {
  HWY_DYNAMIC_DISPATCH(WeightedProductsTarget)(vectors, weight, out);
}

void add_scaled(std::span<const double* const> vectors, std::span<const double> factor, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(AddScaledTarget)(vectors, factor, out);
}

}  // namespace cavity::kernels
#endif
