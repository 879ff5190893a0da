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

void Design::sweep(std::span<const double> v, const Reaction& react, std::span<double> out, Scratch& scratch,
                   ThreadPool& pool) const {
  const std::span<double> products(scratch.doubles(samples()), samples());
  times(v, products, pool);
  react(0, products);
  transpose_times(products, out, pool);
}

void Design::sweep_many(std::span<const std::span<const double>> v, const BatchReaction& react,
                        std::span<const std::span<double>> out, Scratch& scratch, ThreadPool& pool) const {
  const std::size_t m = samples(), models = v.size();
  check(out.size(), models, "outputs");
  double* model = scratch.doubles(m * (1 + 2 * models));  // one model's products or reactions
  double* products = model + m;                           // of all, a row a sample
  double* reactions = products + m * models;
  for (std::size_t k = 0; k < models; ++k) {
    rough_times(v[k], {model, m}, pool);
    for (std::size_t mu = 0; mu < m; ++mu) products[mu * models + k] = model[mu];
  }
  constexpr std::size_t group = 256;  // samples
  pool.run((m + group - 1) / group, [&](std::size_t block) {
    const std::size_t first = block * group, at = first * models;
    react({first, std::min(group, m - first), models}, products + at, reactions + at);
  });
  for (std::size_t k = 0; k < models; ++k) {
    for (std::size_t mu = 0; mu < m; ++mu) model[mu] = reactions[mu * models + k];
    rough_transpose_times({model, m}, out[k], pool);
  }
}

}  // namespace cavity
