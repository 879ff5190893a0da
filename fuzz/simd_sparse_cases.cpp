// Kernels of sparse tables, and sums over long vectors.
#include "kernels/anderson_kernels.hpp"
#include "kernels/sparse_kernels.hpp"
#include "simd_case.hpp"

namespace cavity::fuzz {
namespace {

using kernels::models_at_once;

struct Columns {
  std::size_t rows, first, last;
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> row, column;  // column: empty, or which is the l-th
  std::vector<float> value;

  explicit Columns(Draw& draw) : rows(draw.from_to(1, 20)) {
    const std::size_t stored = draw.from_to(1, 12);
    for (std::size_t l = 0; l < stored; ++l) {
      for (std::size_t i = 0; i < rows; ++i)
        if (draw.byte() % 3 == 0) {
          row.push_back(static_cast<std::uint32_t>(i));
          value.push_back(static_cast<float>(draw.real()));
        }
      start.push_back(row.size());
    }
    last = draw.from_to(0, stored);
    first = draw.from_to(0, last);
    if (draw.byte() % 2 == 0)
      for (std::size_t l = 0; l < last; ++l) column.push_back(static_cast<std::uint32_t>(draw.from_to(0, stored - 1)));
  }
  kernels::SparseColumns view() const {
    return {start.data(), row.data(), value.data(), column.empty() ? nullptr : column.data()};
  }
  /// Calls f(l, row, value) for what stands in the l-th column.
  template <class F>
  void for_each(const F& f) const {
    for (std::size_t l = first; l < last; ++l) {
      const std::size_t c = column.empty() ? l : column[l];
      for (std::uint64_t k = start[c]; k < start[c + 1]; ++k) f(l, row[k], static_cast<double>(value[k]));
    }
  }
};

Case scatter(Draw& draw) {
  const Columns x(draw);
  const auto v = draw.reals(x.last * models_at_once), begun = draw.reals(x.rows * models_at_once);
  std::vector<Sum> sums(begun.size());
  for (std::size_t i = 0; i < begun.size(); ++i) sums[i].add(begun[i]);
  x.for_each([&](std::size_t l, std::size_t row, double value) {
    for (std::size_t m = 0; m < models_at_once; ++m)
      sums[row * models_at_once + m].add(value * v[l * models_at_once + m]);
  });
  return {[=] {
            std::vector<double> out = begun;
            kernels::scatter_columns(x.view(), x.first, x.last, v.data(), out.data());
            return out;
          },
          sums, in_double};
}

Case gather(Draw& draw) {
  const Columns x(draw);
  const auto u = draw.reals(x.rows * models_at_once);
  std::vector<Sum> sums(x.last * models_at_once);
  x.for_each([&](std::size_t l, std::size_t row, double value) {
    for (std::size_t m = 0; m < models_at_once; ++m)
      sums[l * models_at_once + m].add(value * u[row * models_at_once + m]);
  });
  return {[=] {
            std::vector<double> out(sums.size(), 0);
            kernels::gather_columns(x.view(), x.first, x.last, u.data(), out.data());
            return out;
          },
          sums, in_double};
}

struct Vectors {
  std::size_t n;
  std::vector<std::vector<double>> values;
  explicit Vectors(Draw& draw) : n(draw.byte() % 8 == 0 ? draw.from_to(1000, 1100) : draw.from_to(0, 40)) {
    for (std::size_t count = draw.from_to(1, 9); count > 0; --count) values.push_back(draw.reals(n));
  }
  std::vector<const double*> pointers() const {
    std::vector<const double*> out;
    for (const auto& v : values) out.push_back(v.data());
    return out;
  }
};

Case weighted_products(Draw& draw) {
  const Vectors v(draw);
  const auto weight = draw.reals(v.n);
  const std::size_t count = v.values.size();
  std::vector<Sum> sums(count * count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (std::size_t l = 0; l < v.n; ++l)
        sums[i * count + j].add(weight[l] * weight[l] * v.values[i][l] * v.values[j][l]);
  return {[=] {
            std::vector<double> out(count * count, 7);
            kernels::weighted_products(v.pointers(), weight, out.data());
            for (std::size_t i = 0; i < count; ++i)
              for (std::size_t j = i + 1; j < count; ++j) out[i * count + j] = 0;  // not promised
            return out;
          },
          sums, in_double};
}

Case add_scaled(Draw& draw) {
  const Vectors v(draw);
  const auto factor = draw.reals(v.values.size()), begun = draw.reals(v.n);
  std::vector<Sum> sums(v.n);
  for (std::size_t l = 0; l < v.n; ++l) {
    sums[l].add(begun[l]);
    for (std::size_t i = 0; i < factor.size(); ++i) sums[l].add(factor[i] * v.values[i][l]);
  }
  return {[=] {
            std::vector<double> out = begun;
            kernels::add_scaled(v.pointers(), factor, out);
            return out;
          },
          sums, in_double};
}

}  // namespace

std::vector<MakeCase> sparse_cases() { return {scatter, gather, weighted_products, add_scaled}; }

}  // namespace cavity::fuzz
