#include "design/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cavity {

void Design::check(std::size_t got, std::size_t expected, const char* what) const {
  if (got != expected)
    throw std::invalid_argument(
        fmt::format("design of {} x {}: got {} {}, expected {}", samples(), features(), got, what, expected));
}

void Design::times(std::span<const double> v, std::span<double> out, ThreadPool& pool, Precision precision) const {
  check(v.size(), features(), "weights");
  check(out.size(), samples(), "products");
  do_times(v, out, precision, pool);
}

void Design::transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool,
                             Precision precision) const {
  check(u.size(), samples(), "weights");
  check(out.size(), features(), "products");
  do_transpose_times(u, out, precision, pool);
}

void Design::squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const {
  check(v.size(), features(), "weights");
  check(out.size(), samples(), "products");
  do_squared_times(v, out, pool);
}

void Design::squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const {
  check(u.size(), samples(), "weights");
  check(out.size(), features(), "products");
  do_squared_transpose_times(u, out, pool);
}

void Design::times_both(const TwoWeights& v, const TwoProducts& out, ThreadPool& pool, Precision precision) const {
  for (const auto& weights : {v.plain, v.squared}) check(weights.size(), features(), "weights");
  for (const auto& products : {out.plain, out.squared}) check(products.size(), samples(), "products");
  do_times_both(v, out, precision, pool);
}

void Design::transpose_times_both(const TwoWeights& u, const TwoProducts& out, ThreadPool& pool,
                                  Precision precision) const {
  for (const auto& weights : {u.plain, u.squared}) check(weights.size(), samples(), "weights");
  for (const auto& products : {out.plain, out.squared}) check(products.size(), features(), "products");
  do_transpose_times_both(u, out, precision, pool);
}

void Design::gram(std::span<const double> t, Matrix& out, ThreadPool& pool, Precision precision) const {
  check(t.size(), features(), "feature weights");
  do_gram(t, out, precision, pool);
}

void Design::quadratic(const Matrix& w, std::span<double> out, ThreadPool& pool, Precision precision) const {
  check(static_cast<std::size_t>(w.rows()), samples(), "rows of W");
  check(static_cast<std::size_t>(w.cols()), samples(), "columns of W");
  check(out.size(), features(), "products");
  do_quadratic(w, out, precision, pool);
}

void Design::do_times_both(const TwoWeights& v, const TwoProducts& out, Precision precision, ThreadPool& pool) const {
  do_times(v.plain, out.plain, precision, pool);
  do_squared_times(v.squared, out.squared, pool);
}

void Design::do_transpose_times_both(const TwoWeights& u, const TwoProducts& out, Precision precision,
                                     ThreadPool& pool) const {
  do_transpose_times(u.plain, out.plain, precision, pool);
  do_squared_transpose_times(u.squared, out.squared, pool);
}

void Design::sweep(std::span<const double> v, const Reaction& react, std::span<double> out, Scratch& scratch,
                   ThreadPool& pool, Precision precision) const {
  check(v.size(), features(), "weights");
  check(out.size(), features(), "products");
  do_sweep(v, react, out, scratch, precision, pool);
}

void Design::do_sweep(std::span<const double> v, const Reaction& react, std::span<double> out, Scratch& scratch,
                      Precision precision, ThreadPool& pool) const {
  const std::span<double> products(scratch.doubles(samples()), samples());
  times(v, products, pool, precision);
  react(0, products);
  transpose_times(products, out, pool, precision);
}

void Design::sweep_many(std::span<const std::span<const double>> v, const BatchReaction& react,
                        std::span<const std::span<double>> out, Scratch& scratch, ThreadPool& pool) const {
  const std::size_t m = samples(), models = v.size();
  check(out.size(), models, "outputs");
  double* model = scratch.doubles(m * (1 + 2 * models));  // one model's products or reactions
  double* products = model + m;                           // of all, a row a sample
  double* reactions = products + m * models;
  for (std::size_t k = 0; k < models; ++k) {
    times(v[k], {model, m}, pool, Precision::rough);
    for (std::size_t mu = 0; mu < m; ++mu) products[mu * models + k] = model[mu];
  }
  constexpr std::size_t group = 256;  // samples
  pool.run((m + group - 1) / group, [&](std::size_t block) {
    const std::size_t first = block * group, at = first * models;
    react({first, std::min(group, m - first), models}, products + at, reactions + at);
  });
  for (std::size_t k = 0; k < models; ++k) {
    for (std::size_t mu = 0; mu < m; ++mu) model[mu] = reactions[mu * models + k];
    transpose_times({model, m}, out[k], pool, Precision::rough);
  }
}

}  // namespace cavity
