#include "kernels/sparse_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sparse_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, models_at_once>;
using V = hn::Vec<D>;

#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t vectors = models_at_once;
#else
constexpr std::size_t vectors = models_at_once / (HWY_MAX_BYTES > 64 ? 8 : HWY_MAX_BYTES / sizeof(double));
#endif

void ScatterColumnsTarget(const SparseColumns& x, std::size_t first, std::size_t last, const double* v, double* out) {
  const D d;
  for (std::size_t l = first; l < last; ++l) {
    const std::size_t column = x.column ? x.column[l] : l;
    V weight[vectors];
    for (std::size_t i = 0; i < vectors; ++i) weight[i] = hn::LoadU(d, v + l * models_at_once + i * hn::Lanes(d));
    for (std::uint64_t k = x.start[column]; k < x.start[column + 1]; ++k) {
      double* to = out + std::size_t{x.row[k]} * models_at_once;
      const V value = hn::Set(d, static_cast<double>(x.value[k]));
      for (std::size_t i = 0; i < vectors; ++i) {
        double* at = to + i * hn::Lanes(d);
        hn::StoreU(hn::MulAdd(value, weight[i], hn::LoadU(d, at)), d, at);
      }
    }
  }
}

void GatherColumnsTarget(const SparseColumns& x, std::size_t first, std::size_t last, const double* u, double* out) {
  const D d;
  for (std::size_t l = first; l < last; ++l) {
    const std::size_t column = x.column ? x.column[l] : l;
    V sum[vectors];
    for (auto& s : sum) s = hn::Zero(d);
    for (std::uint64_t k = x.start[column]; k < x.start[column + 1]; ++k) {
      const double* from = u + std::size_t{x.row[k]} * models_at_once;
      const V value = hn::Set(d, static_cast<double>(x.value[k]));
      for (std::size_t i = 0; i < vectors; ++i)
        sum[i] = hn::MulAdd(value, hn::LoadU(d, from + i * hn::Lanes(d)), sum[i]);
    }
    for (std::size_t i = 0; i < vectors; ++i) hn::StoreU(sum[i], d, out + l * models_at_once + i * hn::Lanes(d));
  }
}

}  // namespace cavity::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::kernels {

HWY_EXPORT(ScatterColumnsTarget);
HWY_EXPORT(GatherColumnsTarget);

void scatter_columns(const SparseColumns& x, std::size_t first, std::size_t last, const double* v, double* out) {
  HWY_DYNAMIC_DISPATCH(ScatterColumnsTarget)(x, first, last, v, out);
}

void gather_columns(const SparseColumns& x, std::size_t first, std::size_t last, const double* u, double* out) {
  HWY_DYNAMIC_DISPATCH(GatherColumnsTarget)(x, first, last, u, out);
}

}  // namespace cavity::kernels
#endif
