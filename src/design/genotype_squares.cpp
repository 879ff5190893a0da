// Products with squared entries, from (g - c)^2 = c^2 + g (1 - 2c) + 2 [g = 2] of the known calls; a call that is not
// known is 0. Weights are rounded to 2^-31 of the largest.
#include <cmath>
#include <limits>

#include "design/genotype_design.hpp"

namespace cavity {

void GenotypeDesign::do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const {
  const auto weight = [&](std::size_t l) { return scaling_.scale[l] * scaling_.scale[l] * v[l]; };
  const auto at_zero = [&](std::size_t l) { return weight(l) * scaling_.centre[l] * scaling_.centre[l]; };
  const CallWeights linear{scaling_.kept,
                           [&](std::size_t first, std::size_t last, double* per_copy, double* if_missing) {
                             for (std::size_t l = first; l < last; ++l) {
                               *per_copy++ = weight(l) * (1 - 2 * scaling_.centre[l]);
                               *if_missing++ = -at_zero(l);
                             }
                           },
                           missing_};
  const std::vector<std::uint8_t> none(features(), 0);
  const CallWeights twos{scaling_.kept,
                         [&](std::size_t first, std::size_t last, double* per_copy, double*) {
                           for (std::size_t l = first; l < last; ++l) *per_copy++ = 2 * weight(l);
                         },
                         none, true};
  double constant = 0;
  for (std::size_t l = 0; l < features(); ++l) constant += at_zero(l);
  std::vector<double> more(samples());
  add_up_calls(calls_, samples_, linear, largest_span(linear, pool), out, pool);
  add_up_calls(calls_, samples_, twos, largest_span(twos, pool), more, pool);
  for (std::size_t mu = 0; mu < samples(); ++mu)
    out[mu] = row_scale_[mu] * row_scale_[mu] * (constant + out[mu] + more[mu]);
}

void GenotypeDesign::do_squared_transpose_times(std::span<const double> u, std::span<double> out,
                                                ThreadPool& pool) const {
  const std::vector<double> values = scaled(u, 2);
  const double largest = largest_size(values);
  if (!std::isfinite(largest)) return std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  const WeightUnit unit(largest, kernels::largest_weight);
  const auto put = [&](std::size_t first, std::size_t count, const GroupSums& sums) {
    for (std::size_t r = 0, l = first; r < count; ++r, ++l) {
      const double c = scaling_.centre[l];
      out[l] = scaling_.scale[l] * scaling_.scale[l] *
               (c * c * unit.real(sums.all - sums.missing[r]) + (1 - 2 * c) * unit.real(sums.copies[r]) +
                2 * unit.real(sums.two_copies[r]));
    }
  };
  sum_samples(values, {unit, 4, true}, put, pool);
}

}  // namespace cavity
