// Dual, fewer samples than features: with K = X X^T, H the projection that takes the class means out of the samples,
// G = H K H = U L U^T the Gram matrix of the centred rows Z = H X, and m_plus - m_minus = X^T t,
//   pseudo-inverse  w = Z^T U L^-2 U^T Z X^T t           = X^T H G^+ G^+ H K t
//   shrunk          w = (a Z^T Z + r I)^-1 X^T t         = X^T (t - H (r/a I + G)^-1 H K t)/r,  a = (1-s)/M
// Primal: the same through the eigenvectors of Z^T Z.
#include "baselines/fisher.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace cavity {

namespace {

using Vector = Eigen::VectorXd;
constexpr double smallest_ratio = 1e-10;  // of eigenvalues of the scatter, squared singular values

struct Classes {
  std::array<double, 2> count{};
  std::vector<int> of;  // 0 negative, 1 positive

  explicit Classes(std::span<const std::int8_t> labels) {
    for (const auto y : labels) {
      of.push_back(y > 0 ? 1 : 0);
      ++count[of.back()];
    }
    if (count[0] == 0 || count[1] == 0) throw std::invalid_argument("Fisher's discriminant needs both classes");
  }

  // X^T t is the difference of the class means, X^T half their mean.
  Vector difference() const {
    Vector t(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) t(i) = (of[i] == 1 ? 1 : -1) / count[of[i]];
    return t;
  }
  Vector midpoint() const { return 0.5 * difference().cwiseAbs(); }

  // Subtracts from each row the mean of the rows of its class.
  void centre_rows(Eigen::Ref<Eigen::MatrixXd> rows) const {
    Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(2, rows.cols());
    for (std::size_t i = 0; i < of.size(); ++i) mean.row(of[i]) += rows.row(i) / count[of[i]];
    for (std::size_t i = 0; i < of.size(); ++i) rows.row(i) -= mean.row(of[i]);
  }
};

struct Spectrum {
  Eigen::MatrixXd vectors;
  Vector values;
  std::size_t rank = 0;

  explicit Spectrum(const Eigen::MatrixXd& matrix) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
    vectors = solver.eigenvectors();
    values = solver.eigenvalues();
    const double floor = smallest_ratio * std::max(values.maxCoeff(), 0.0);
    for (auto& v : values)
      if (v > floor)
        ++rank;
      else
        v = 0;
  }

  template <class F>
  Vector apply(const F& f, const Vector& v) const {
    return vectors * (values.unaryExpr(f).cwiseProduct(vectors.transpose() * v));
  }
};

// Ledoit and Wolf's intensity from the spectrum of Z Z^T (or Z^T Z) and the squared lengths of Z's rows.
double shrinkage(const Vector& spectrum, const Vector& square_lengths, double features) {
  const auto m = static_cast<double>(square_lengths.size());
  const double square = spectrum.squaredNorm() / (m * m), trace = spectrum.sum() / m;
  const double distance = square - trace * trace / features;
  const double variance = (square_lengths.squaredNorm() / m - square) / m;
  return distance > 0 ? std::clamp(variance / distance, 1e-6, 1.0) : 1.0;
}

struct Ridge {
  double weight, floor;  // a, r
  Ridge(double s, double trace, double samples, double features)
      : weight((1 - s) / samples), floor(std::max(s * trace / (samples * features), 1e-300)) {}
};

struct Solved {
  Vector weights;  // unscaled
  double shrinkage = 0;
  std::size_t rank = 0;
};

Solved solve_dual(const Design& design, const Classes& classes, Scatter scatter, ThreadPool& pool) {
  Matrix k;
  design.gram(std::vector<double>(design.features(), 1.0), k, pool);
  Eigen::MatrixXd g = k;
  classes.centre_rows(g);
  Vector projected = g * classes.difference();  // H K t
  g.transposeInPlace();
  classes.centre_rows(g);
  const Spectrum s(g);
  Solved out{{}, 0, s.rank};
  Vector c;
  if (scatter == Scatter::pseudo_inverse) {
    c = s.apply([](double l) { return l > 0 ? 1 / (l * l) : 0.0; }, projected);
  } else {
    out.shrinkage = shrinkage(s.values, g.diagonal(), static_cast<double>(design.features()));
    const Ridge ridge(out.shrinkage, g.trace(), static_cast<double>(g.rows()), static_cast<double>(design.features()));
    c = classes.difference() -
        s.apply([&](double l) { return ridge.weight / (ridge.floor + ridge.weight * l); }, projected);
  }
  if (s.rank == 0 || c.isZero(0)) c = classes.difference();
  out.weights.resize(design.features());
  design.transpose_times({c.data(), static_cast<std::size_t>(c.size())},
                         {out.weights.data(), static_cast<std::size_t>(out.weights.size())}, pool);
  return out;
}

Solved solve_primal(const Design& design, const Classes& classes, Scatter scatter) {
  std::vector<std::size_t> all(design.features());
  std::iota(all.begin(), all.end(), 0);
  Matrix values;
  design.columns(all, values);
  Eigen::MatrixXd z = values;
  const Vector difference = z.transpose() * classes.difference();
  classes.centre_rows(z);
  const Spectrum s(z.transpose() * z);
  Solved out{{}, 0, s.rank};
  if (scatter == Scatter::pseudo_inverse) {
    out.weights = s.apply([](double l) { return l > 0 ? 1 / l : 0.0; }, difference);
  } else {
    out.shrinkage = shrinkage(s.values, z.rowwise().squaredNorm(), static_cast<double>(z.cols()));
    const Ridge ridge(out.shrinkage, s.values.sum(), static_cast<double>(z.rows()), static_cast<double>(z.cols()));
    out.weights = s.apply([&](double l) { return 1 / (ridge.floor + ridge.weight * l); }, difference);
  }
  if (s.rank == 0 || out.weights.isZero(0)) out.weights = difference;
  return out;
}

}  // namespace

FisherDirection fisher_discriminant(const Design& design, std::span<const std::int8_t> labels, Scatter scatter,
                                    ThreadPool& pool) {
  const Classes classes(labels);
  const bool wide = design.features() >= design.samples();
  Solved solved = wide ? solve_dual(design, classes, scatter, pool) : solve_primal(design, classes, scatter);
  const auto n = static_cast<double>(design.features());
  const double length = solved.weights.norm();
  if (length > 0) solved.weights *= std::sqrt(n) / length;
  FisherDirection out;
  out.weights.assign(solved.weights.begin(), solved.weights.end());
  out.shrinkage = solved.shrinkage;
  out.rank = solved.rank;
  std::vector<double> scores(design.samples());
  design.times(out.weights, scores, pool);
  const Vector midpoint = classes.midpoint();
  for (std::size_t mu = 0; mu < scores.size(); ++mu) out.intercept -= midpoint(mu) * scores[mu] / std::sqrt(n);
  return out;
}

}  // namespace cavity
