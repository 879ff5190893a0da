// Small problems with known shape: Gaussian rows with neighbouring features correlated, labels of a sparse teacher.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "design/dense_design.hpp"
#include "infer/problem.hpp"

namespace cavity {

struct SmallOptions {
  std::size_t samples = 0, features = 0;
  double correlation = 0;    // of neighbouring features: AR(1)
  std::size_t relevant = 3;  // the teacher's features, spread evenly, with weights of equal size and changing sign
  double flips = 0.05;
  double density = 0.2;
  AnyActivation activation = step(0.05);
  bool intercept = false;
  std::uint64_t seed = 1;
};

class SmallProblem {
 public:
  SmallProblem(FeatureMatrix x, std::vector<std::int8_t> y, const SmallOptions& options)
      : values(std::move(x)), labels(std::move(y)), activation(options.activation), density(options.density) {
    if (options.intercept) {
      covariates.values = Matrix::Ones(static_cast<Eigen::Index>(values.rows), 1);
      covariates.precision = {1 / (0.3 * 0.3)};
    }
    design = std::make_unique<DenseDesign>(view(values));
  }
  Problem problem() const { return {*design, labels, covariates, activation, density}; }
  Problem problem_at(double other_density) const { return {*design, labels, covariates, activation, other_density}; }
  Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> x() const {
    return {values.values.data(), static_cast<Eigen::Index>(values.rows), static_cast<Eigen::Index>(values.cols)};
  }

  FeatureMatrix values;
  std::vector<std::int8_t> labels;
  Covariates covariates;
  AnyActivation activation;
  double density;
  std::unique_ptr<DenseDesign> design;
};

inline void scale_rows(FeatureMatrix& x) {
  for (std::size_t mu = 0; mu < x.rows; ++mu) {
    double square = 0;
    for (std::size_t l = 0; l < x.cols; ++l) square += double{x.row(mu)[l]} * x.row(mu)[l];
    for (std::size_t l = 0; l < x.cols; ++l)
      x.row(mu)[l] *= static_cast<float>(std::sqrt(static_cast<double>(x.cols) / square));
  }
}

inline FeatureMatrix correlated_rows(std::size_t samples, std::size_t features, double correlation, Random& random) {
  FeatureMatrix x(samples, features);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    double last = random.normal();
    for (std::size_t l = 0; l < features; ++l) {
      if (l > 0) last = correlation * last + std::sqrt(1 - correlation * correlation) * random.normal();
      x.row(mu)[l] = static_cast<float>(last);
    }
  }
  scale_rows(x);
  return x;
}

inline std::vector<double> spread_teacher(std::size_t features, std::size_t relevant) {
  std::vector<double> teacher(features, 0);
  for (std::size_t i = 0; i < relevant; ++i) teacher[(2 * i + 1) * features / (2 * relevant)] = i % 2 == 0 ? 1 : -1;
  return teacher;
}

inline SmallProblem make_small(const SmallOptions& options) {
  Random random(options.seed, 77);
  FeatureMatrix x = correlated_rows(options.samples, options.features, options.correlation, random);
  const std::vector<double> teacher = spread_teacher(options.features, options.relevant);
  std::vector<std::int8_t> labels;
  for (std::size_t mu = 0; mu < x.rows; ++mu) {
    const double field = std::inner_product(teacher.begin(), teacher.end(), x.row(mu), 0.0);
    labels.push_back((field > 0) != random.bernoulli(options.flips) ? 1 : -1);
  }
  return {std::move(x), std::move(labels), options};
}

inline double mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace cavity
