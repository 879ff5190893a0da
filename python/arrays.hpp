// NumPy arrays to the core's matrices and back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cavity/dataset.hpp"

namespace arrays {

namespace nb = nanobind;

using Table = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Square tiles, so that neither order of the source misses the cache on every value.
template <class T>
cavity::FeatureMatrix converted(const Table& table) {
  constexpr std::size_t tile = 64;
  cavity::FeatureMatrix out(table.shape(0), table.shape(1));
  const auto* from = static_cast<const T*>(table.data());
  for (std::size_t i0 = 0; i0 < out.rows; i0 += tile)
    for (std::size_t j0 = 0; j0 < out.cols; j0 += tile)
      for (std::size_t i = i0; i < std::min(out.rows, i0 + tile); ++i)
        for (std::size_t j = j0; j < std::min(out.cols, j0 + tile); ++j)
          out.row(i)[j] = static_cast<float>(
              from[static_cast<std::int64_t>(i) * table.stride(0) + static_cast<std::int64_t>(j) * table.stride(1)]);
  return out;
}

/// float32 in C order is used where it is; anything else becomes a float32 matrix, with nothing in between.
inline cavity::FeatureMatrix to_matrix(const Table& table) {
  if (table.dtype() == nb::dtype<double>()) return converted<double>(table);
  if (table.dtype() != nb::dtype<float>()) throw std::invalid_argument("features must be float32 or float64");
  const auto rows = table.shape(0), cols = table.shape(1);
  const bool in_place =
      (cols <= 1 || table.stride(1) == 1) && (rows <= 1 || table.stride(0) == static_cast<std::int64_t>(cols));
  if (in_place) return cavity::FeatureMatrix::borrow(static_cast<const float*>(table.data()), rows, cols);
  return converted<float>(table);
}

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// scipy's compressed sparse columns, copied: 8 bytes a stored value.
inline cavity::CompressedColumns to_columns(std::size_t samples, const Vector<std::uint64_t>& start,
                                            const Vector<std::uint32_t>& row, const Vector<float>& value) {
  return {samples,
          {start.data(), start.data() + start.shape(0)},
          {row.data(), row.data() + row.shape(0)},
          {value.data(), value.data() + value.shape(0)}};
}

/// Either form as the core's.
inline cavity::FeatureTable to_table(const Table& table) { return to_matrix(table); }
inline cavity::FeatureTable to_table(const cavity::CompressedColumns& columns) { return cavity::FeatureTable(columns); }

/// Moves the values into an array that owns them.
template <class T>
nb::ndarray<nb::numpy, T> to_array(std::vector<T> values, std::vector<std::size_t> shape = {}) {
  if (shape.empty()) shape = {values.size()};
  auto* held = new std::vector<T>(std::move(values));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(held->data(), shape.size(), shape.data(), owner);
}

}  // namespace arrays
