// Kernels of dense tables: products of rows, of their squares, of tiles, and of single precision.
#include "kernels/batch_kernels.hpp"
#include "kernels/dense_kernels.hpp"
#include "kernels/square_kernels.hpp"
#include "simd_case.hpp"

namespace cavity::fuzz {
namespace {

using kernels::tile_width;

struct Rows {
  std::size_t count, n, stride;
  std::vector<float> values;
  explicit Rows(Draw& draw)
      : count(draw.from_to(1, kernels::row_group)),
        n(draw.from_to(0, 70)),
        stride(n + draw.from_to(0, 3)),
        values(draw.reals<float>(stride * count)) {}
  double at(std::size_t r, std::size_t j) const { return static_cast<double>(values[r * stride + j]); }
};

Case dot_rows(Draw& draw) {
  const Rows x(draw);
  const auto v = draw.reals(x.n);
  std::vector<Sum> sums(x.count);
  for (std::size_t r = 0; r < x.count; ++r)
    for (std::size_t j = 0; j < x.n; ++j) sums[r].add(x.at(r, j) * v[j]);
  return {[=] {
            std::vector<double> out(x.count, 7);
            kernels::dot_rows(x.values.data(), x.stride, x.count, v.data(), x.n, out.data());
            return out;
          },
          sums, in_double};
}

template <bool single>
Case axpy_rows(Draw& draw) {
  const Rows x(draw);
  const auto u = draw.reals(x.count), start = draw.reals(x.n);
  std::vector<Sum> sums(x.n);
  for (std::size_t j = 0; j < x.n; ++j) {
    sums[j].add(start[j]);
    for (std::size_t r = 0; r < x.count; ++r) sums[j].add(x.at(r, j) * u[r]);
  }
  return {[=] {
            std::vector<double> out = start;
            (single ? kernels::add_rows : kernels::axpy_rows)(x.values.data(), x.stride, x.count, u.data(), x.n,
                                                              out.data());
            return out;
          },
          sums, single ? in_single : in_double};
}

double centred_square(double x, double centre) { return (x - centre) * (x - centre); }

Case dot_squares(Draw& draw) {
  const Rows x(draw);
  const auto centre = draw.reals(x.n), v = draw.reals(x.n);
  std::vector<Sum> sums(x.count);
  for (std::size_t r = 0; r < x.count; ++r)
    for (std::size_t j = 0; j < x.n; ++j) sums[r].add(centred_square(x.at(r, j), centre[j]) * v[j]);
  return {[=] {
            std::vector<double> out(x.count, 7);
            kernels::dot_squares({x.values.data(), x.stride, x.count}, centre.data(), v.data(), x.n, out.data());
            return out;
          },
          sums, in_double};
}

Case add_squares(Draw& draw) {
  const Rows x(draw);
  const auto centre = draw.reals(x.n), u = draw.reals(x.count), start = draw.reals(x.n);
  std::vector<Sum> sums(x.n);
  for (std::size_t j = 0; j < x.n; ++j) {
    sums[j].add(start[j]);
    for (std::size_t r = 0; r < x.count; ++r) sums[j].add(centred_square(x.at(r, j), centre[j]) * u[r]);
  }
  return {[=] {
            std::vector<double> out = start;
            kernels::add_squares({x.values.data(), x.stride, x.count}, centre.data(), u.data(), x.n, out.data());
            return out;
          },
          sums, in_double};
}

template <class T>
constexpr double tolerance_of = sizeof(T) == sizeof(float) ? in_single : in_double;

template <class T>
Case weight_tile(Draw& draw) {
  const std::size_t depth = draw.from_to(1, 20);
  const auto tile = draw.reals<T>(depth * tile_width);
  const auto t = draw.reals(depth);
  std::vector<Sum> sums(tile.size());
  for (std::size_t i = 0; i < tile.size(); ++i) sums[i].add(static_cast<double>(tile[i]) * t[i / tile_width]);
  return {[=] {
            std::vector<T> out(tile.size(), T{7});
            kernels::weight_tile(tile.data(), t.data(), depth, out.data());
            return widened(out);
          },
          sums, tolerance_of<T>};
}

template <class T>
Case multiply_tiles(Draw& draw) {
  const std::size_t depth = draw.from_to(1, 40), ldc = tile_width + draw.from_to(0, 2);
  const auto a = draw.reals<T>(depth * tile_width), b = draw.reals<T>(depth * tile_width);
  const auto start = draw.reals((tile_width - 1) * ldc + tile_width);
  std::vector<Sum> sums(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    sums[i].add(start[i]);
    const std::size_t row = i / ldc, column = i % ldc;
    for (std::size_t k = 0; k < depth && column < tile_width; ++k)
      sums[i].add(static_cast<double>(a[k * tile_width + row]) * static_cast<double>(b[k * tile_width + column]));
  }
  return {[=] {
            std::vector<double> out = start;
            kernels::multiply_tiles(a.data(), b.data(), depth, out.data(), ldc);
            return out;
          },
          sums, tolerance_of<T>};
}

template <class T>
Case add_forms(Draw& draw) {
  constexpr std::size_t block = tile_width * tile_width;
  const std::size_t group = draw.from_to(0, 2), step = block + draw.from_to(0, 3);
  const auto x = draw.reals<T>(group * step + block), w = draw.reals<T>((group + 1) * block),
             start = draw.reals<T>(block);
  std::vector<Sum> sums(block);
  for (std::size_t l = 0; l < tile_width; ++l)
    for (std::size_t i = 0; i < tile_width; ++i) {
      Sum& sum = sums[l * tile_width + i];
      sum.add(static_cast<double>(start[l * tile_width + i]));
      const auto own = static_cast<double>(x[group * step + l * tile_width + i]);
      for (std::size_t k = 0; k < (group + 1) * tile_width; ++k)
        sum.add(own * static_cast<double>(w[k * tile_width + i]) *
                static_cast<double>(x[k / tile_width * step + l * tile_width + k % tile_width]));
    }
  return {[=] {
            std::vector<T> total = start;
            kernels::add_forms(x.data(), step, group, w.data(), total.data());
            return widened(total);
          },
          sums, tolerance_of<T>};
}

template <class T>
Case sum_rows(Draw& draw) {
  const auto rows = draw.reals<T>(tile_width * tile_width);
  std::vector<Sum> sums(tile_width);
  for (std::size_t i = 0; i < rows.size(); ++i) sums[i / tile_width].add(static_cast<double>(rows[i]));
  return {[=] {
            std::vector<double> out(tile_width, 7);
            kernels::sum_rows(rows.data(), out.data());
            return out;
          },
          sums, in_double};
}

Case multiply_add(Draw& draw) {
  const std::size_t rows = draw.from_to(0, 19), depth = draw.from_to(1, 20), columns = 8 * draw.from_to(1, 9);
  const bool columnwise = draw.byte() % 2 == 0;
  const std::size_t row_step = columnwise ? 1 : depth, inner_step = columnwise ? rows : 1;
  const auto a = draw.reals<float>(rows * depth), b = draw.reals<float>(depth * columns);
  const auto start = draw.reals(rows * columns);
  std::vector<Sum> sums(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    sums[i].add(start[i]);
    for (std::size_t k = 0; k < depth; ++k)
      sums[i].add(static_cast<double>(a[i / columns * row_step + k * inner_step]) *
                  static_cast<double>(b[k * columns + i % columns]));
  }
  return {[=] {
            std::vector<double> out = start;
            kernels::multiply_add({a.data(), row_step, inner_step}, rows, depth, b.data(), columns, out.data());
            return out;
          },
          sums, in_single};
}

Case scale_row(Draw& draw) {
  const std::size_t n = draw.from_to(0, 70);
  const auto values = draw.reals<float>(n), centre = draw.reals<float>(n), rest = draw.reals<float>(n),
             scale = draw.reals<float>(n);
  const auto row = static_cast<float>(draw.real());
  std::vector<Sum> sums(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double factor = static_cast<double>(row) * static_cast<double>(scale[j]);
    sums[j].add(factor * static_cast<double>(values[j]));
    sums[j].add(-factor * static_cast<double>(centre[j]));
    sums[j].add(-factor * static_cast<double>(rest[j]));
  }
  return {[=] {
            std::vector<float> out(n, 7);
            kernels::scale_row(values.data(), {centre.data(), rest.data(), scale.data(), row}, n, out.data());
            return widened(out);
          },
          sums, in_single};
}

}  // namespace

std::vector<MakeCase> dense_cases() {
  return {dot_rows,
          axpy_rows<false>,
          axpy_rows<true>,
          dot_squares,
          add_squares,
          weight_tile<float>,
          weight_tile<double>,
          multiply_tiles<float>,
          multiply_tiles<double>,
          add_forms<float>,
          add_forms<double>,
          sum_rows<float>,
          sum_rows<double>,
          multiply_add,
          scale_row};
}

}  // namespace cavity::fuzz
