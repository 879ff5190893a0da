// The plain reference: entries in double, products by Eigen, nothing shared with the designs under test.
#pragma once

#include "design/design.hpp"

namespace cavity::test {

class DoubleDesign final : public Design {
 public:
  explicit DoubleDesign(Matrix entries) : x_(std::move(entries)) {}
  std::size_t samples() const override { return static_cast<std::size_t>(x_.rows()); }
  std::size_t features() const override { return static_cast<std::size_t>(x_.cols()); }
  void sweep_many(std::span<const std::span<const double>> v, const BatchReaction& react,
                  std::span<const std::span<double>> out, Scratch&, ThreadPool&) const override {
    Matrix weights(x_.cols(), static_cast<Eigen::Index>(v.size()));
    for (std::size_t k = 0; k < v.size(); ++k) weights.col(static_cast<Eigen::Index>(k)) = map(v[k]);
    const Matrix products = x_ * weights;
    Matrix reactions(products.rows(), products.cols());
    react({0, samples(), v.size()}, products.data(), reactions.data());
    const Matrix sums = x_.transpose() * reactions;
    for (std::size_t k = 0; k < v.size(); ++k) map(out[k]) = sums.col(static_cast<Eigen::Index>(k));
  }
  void do_gram(std::span<const double> t, Matrix& out, Precision, ThreadPool&) const override {
    out = x_ * map(t).asDiagonal() * x_.transpose();
  }
  void do_quadratic(const Matrix& w, std::span<double> out, Precision, ThreadPool&) const override {
    const Matrix full = w.selfadjointView<Eigen::Lower>();
    map(out) = (full * x_).cwiseProduct(x_).colwise().sum().transpose();
  }
  void columns(std::span<const std::size_t> which, Matrix& out) const override {
    out.resize(x_.rows(), static_cast<Eigen::Index>(which.size()));
    for (std::size_t j = 0; j < which.size(); ++j)
      out.col(static_cast<Eigen::Index>(j)) = x_.col(static_cast<Eigen::Index>(which[j]));
  }

 private:
  using Vector = Eigen::VectorXd;
  void do_times(std::span<const double> v, std::span<double> out, Precision, ThreadPool&) const override {
    map(out) = x_ * map(v);
  }
  void do_transpose_times(std::span<const double> u, std::span<double> out, Precision, ThreadPool&) const override {
    map(out) = x_.transpose() * map(u);
  }
  void do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool&) const override {
    map(out) = x_.cwiseAbs2() * map(v);
  }
  void do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool&) const override {
    map(out) = x_.cwiseAbs2().transpose() * map(u);
  }
  static Eigen::Map<const Vector> map(std::span<const double> v) {
    return {v.data(), static_cast<Eigen::Index>(v.size())};
  }
  static Eigen::Map<Vector> map(std::span<double> v) { return {v.data(), static_cast<Eigen::Index>(v.size())}; }

  Matrix x_;
};

}  // namespace cavity::test
