#include "design/some_samples.hpp"

#include <utility>

namespace cavity {

namespace {

constexpr std::size_t absent = SIZE_MAX;

}  // namespace

SomeSamples::SomeSamples(const Design& design, std::vector<std::size_t> which)
    : design_(design), which_(std::move(which)), place_(design.samples(), absent) {
  for (std::size_t i = 0; i < which_.size(); ++i) place_.at(which_[i]) = i;
}

void SomeSamples::do_times(std::span<const double> v, std::span<double> out, Precision, ThreadPool& pool) const {
  std::vector<double> all(design_.samples());
  design_.times(v, all, pool);
  for (std::size_t i = 0; i < which_.size(); ++i) out[i] = all[which_[i]];
}

void SomeSamples::do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                                     ThreadPool& pool) const {
  std::vector<double> all(design_.samples(), 0);
  for (std::size_t i = 0; i < which_.size(); ++i) all[which_[i]] = u[i];
  design_.transpose_times(all, out, pool, precision);
}

void SomeSamples::do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const {
  std::vector<double> all(design_.samples());
  design_.squared_times(v, all, pool);
  for (std::size_t i = 0; i < which_.size(); ++i) out[i] = all[which_[i]];
}

void SomeSamples::do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const {
  std::vector<double> all(design_.samples(), 0);
  for (std::size_t i = 0; i < which_.size(); ++i) all[which_[i]] = u[i];
  design_.squared_transpose_times(all, out, pool);
}

void SomeSamples::do_sweep(std::span<const double> v, const Reaction& react, std::span<double> out, Scratch& scratch,
                           Precision, ThreadPool& pool) const {
  const auto react_here = [&](std::size_t first, std::span<double> products) {
    for (std::size_t i = 0; i < products.size(); ++i) {
      if (place_[first + i] == absent)
        products[i] = 0;
      else
        react(place_[first + i], products.subspan(i, 1));
    }
  };
  design_.sweep(v, react_here, out, scratch, pool);
}

void SomeSamples::do_gram(std::span<const double> t, Matrix& out, Precision precision, ThreadPool& pool) const {
  Matrix all;
  design_.gram(t, all, pool, precision);
  out = all(which_, which_);
}

void SomeSamples::do_quadratic(const Matrix& w, std::span<double> out, Precision precision, ThreadPool& pool) const {
  const auto m = static_cast<Eigen::Index>(design_.samples());
  Matrix all = Matrix::Zero(m, m);
  const Matrix whole = w.selfadjointView<Eigen::Lower>();  // the order here need not be the order there
  all(which_, which_) = whole;
  design_.quadratic(all, out, pool, precision);
}

void SomeSamples::columns(std::span<const std::size_t> which, Matrix& out) const {
  Matrix all;
  design_.columns(which, all);
  out = all(which_, Eigen::all);
}

}  // namespace cavity
