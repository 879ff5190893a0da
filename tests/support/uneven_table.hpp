// A sparse table as text has them: few frequent columns and many rare ones, rows of different lengths; columns centred,
// not scaled, rows to sqrt(N); labels by a teacher on the more frequent half of the columns, and an intercept.
#pragma once

#include <cmath>
#include <memory>

#include "base/random.hpp"
#include "design/sparse_design.hpp"
#include "infer/problem.hpp"

namespace cavity::test {

class UnevenTable {
 public:
  UnevenTable(std::size_t samples, std::size_t features, std::uint64_t seed) : samples_(samples) {
    Random random(seed, 91);
    Matrix x = Matrix::Zero(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(features));
    std::vector<double> length(samples);
    for (double& each : length) each = std::exp(0.5 * random.normal());
    start_.push_back(0);
    ScaledColumns columns;
    for (std::size_t l = 0; l < features; ++l) {
      const double frequency = 0.8 / (1 + 10 * static_cast<double>(l) / static_cast<double>(features));
      for (std::size_t mu = 0; mu < samples; ++mu)
        if (random.uniform() < 1 - std::exp(-frequency * length[mu])) add(mu, l, 1 + random.uniform(), x);
      start_.push_back(value_.size());
      columns.column.push_back(static_cast<std::uint32_t>(l));
      columns.centre.push_back(x.col(static_cast<Eigen::Index>(l)).mean());
      columns.scale.push_back(1);
    }
    x.rowwise() -= x.colwise().mean();
    std::vector<double> row_scale;
    for (std::size_t mu = 0; mu < samples; ++mu)
      row_scale.push_back(std::sqrt(static_cast<double>(features)) / x.row(static_cast<Eigen::Index>(mu)).norm());
    for (std::size_t mu = 0; mu < samples; ++mu) {
      double field = 0;
      for (std::size_t l = 0; l < features / 2; l += 5)
        field += (l % 2 ? 1 : -1) * x(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(l));
      labels.push_back((field > 0) != random.bernoulli(0.05) ? 1 : -1);
    }
    covariates.values = Matrix::Ones(static_cast<Eigen::Index>(samples), 1);
    covariates.precision = {1 / (0.3 * 0.3)};
    design = std::make_unique<SparseDesign>(SparseView{samples, start_.data(), row_.data(), value_.data()}, columns,
                                            row_scale);
  }

  std::size_t samples() const { return samples_; }
  Problem problem(double density, const AnyActivation& activation) const {
    return {*design, labels, covariates, activation, density};
  }

  std::vector<std::int8_t> labels;
  Covariates covariates;
  std::unique_ptr<SparseDesign> design;

 private:
  void add(std::size_t mu, std::size_t l, double value, Matrix& x) {
    row_.push_back(static_cast<std::uint32_t>(mu));
    value_.push_back(static_cast<float>(value));
    x(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(l)) = static_cast<double>(value_.back());
  }

  std::size_t samples_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> row_;
  std::vector<float> value_;
};

}  // namespace cavity::test
