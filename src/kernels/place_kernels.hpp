// The loops of PlaceFactors over features (Highway, dispatched at run time).
#pragma once

#include <cstddef>
#include <span>

namespace cavity::kernels {

/// A set of places and its z, as place_factors.hpp has them; `size` columns.
struct PlaceSet {
  std::size_t size;
  const double* const* products;  // X^T u of each column
  const double* root;             // R, column-major, size x size
  const double* score;
  double slab_variance;
};

/// Of every feature l: in a_l = (X^T z)_l and c_l = |x_l|^2; out the mean v a/(1 + v c) and the variance
/// v/(1 + v c) of its weight, with a and c those of W, and exponent = mean^2/(2 variance).
void place_moments(const PlaceSet& set, std::span<double> mean, std::span<double> variance, std::span<double> exponent);

/// exponent -> factor = exp(sharpness (exponent - largest)) sqrt(variance unit); returns their sum.
double place_factors(double sharpness, double largest, double unit, std::span<const double> variance,
                     std::span<double> exponent);

}  // namespace cavity::kernels
