// What is absent in new samples, told by what is there: a ridge regression in sample space. X training rows, P the
// features that are there, A those that are not:
//   x_A = X_A^T a,   a = (G + c)^-1 X_P x_P,   G = X_P X_P^T.
// G has an intercept, b 1 1^T with b much more than it: rows that are centred by all samples tell each one by the
// others. Left out, sample mu misses any values v of the training samples (a column of X_A, a field X_A m) by
//   e_mu = [(G + c)^-1 v]_mu / [(G + c)^-1]_mu,mu.
// The weights m have seen its label: what the model without mu says is v less column mu of `falls`, and e_mu is of
// that. One penalty c a pattern of absence, that by which the fields' absent parts are told best when left out. Cost:
// G, and an inversion a penalty, O(samples^3). For a field m.x + noise of variance x^T S x this makes mean m.x at the
// completed x, and to the variance there adds mean_mu (e_mu.m)^2 + e_mu^T S e_mu over the training samples' e = what
// was missed of x_A.
#pragma once

#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "design/dense_design.hpp"

namespace cavity {

/// X_L Y_L^T over some features L: a row a sample of `rows`, a column one of `others`. The features come a panel at a
/// time. Where both are one design the result is symmetric.
Matrix products_over(const Design& rows, const Design& others, std::span<const std::size_t> features, ThreadPool& pool);

class AbsentRegression {
 public:
  /// What is to be told well: absent parts of fields of the training samples, a column each, and what each counts.
  struct Targets {
    Matrix values;
    std::vector<double> weight;
    std::vector<Matrix> falls;  // a target: samples x samples; an empty one: the values do not depend on labels
  };

  /// `gram`: of the training rows over the features that are there.
  AbsentRegression(const Matrix& gram, const Targets& targets, ThreadPool& pool);

  /// a of new rows, from their products with the training rows over the features that are there.
  Matrix combination(const Matrix& products, ThreadPool& pool) const;
  Matrix combinations(const DenseDesign& training, const DenseDesign& fresh, std::span<const std::size_t> there,
                      ThreadPool& pool) const;

  /// By how much a regression without it misses each training sample: `values` are samples x any number.
  Matrix left_out(const Matrix& values, ThreadPool& pool) const;

  Matrix left_out(const Targets& targets, ThreadPool& pool) const;

  /// Some training samples only: a row each.
  Matrix left_out(const Matrix& values, std::span<const Eigen::Index> samples, ThreadPool& pool) const;

  /// Sum over targets of weight x mean square left out.
  double missed() const { return missed_; }

  /// Multiply-adds.
  static double operations(std::size_t samples);

 private:
  Matrix inverse_;
  double size_ = 1;  // of the gram matrix: its mean diagonal, in which the inverse is
  double missed_ = 0;
};

}  // namespace cavity
