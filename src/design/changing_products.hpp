// X diag(t) X^T and x_l^T W x_l of weights that change little from one call to the next, as an iteration's do: the
// change alone is multiplied, in single precision, and added to the last product. The error is near 1e-7 of the change,
// half the time that of double precision.
#pragma once

#include "design/design.hpp"

namespace cavity {

class ChangingProducts {
 public:
  /// Of the weights' size; where more has changed since the last call, the product is made anew.
  ChangingProducts(const Design& design, double largest_change) : design_(design), largest_change_(largest_change) {}

  /// `anew`: the precision of products that are made anew.
  const Matrix& gram(std::span<const double> t, Precision anew, ThreadPool& pool);

  /// The forms may be corrected by the caller: the next ones start from them. W's lower triangle is read.
  std::span<double> quadratic(const Matrix& w, Precision anew, ThreadPool& pool);
  /// Whether the last forms, or a part of them, were multiplied in single precision.
  bool rounded() const { return rounded_; }

 private:
  bool gram_changed_little(std::span<const double> t) const;
  bool forms_changed_little(const Matrix& w) const;

  const Design& design_;
  double largest_change_;
  std::vector<double> t_;      // of gram_
  Matrix gram_, w_;            // w_: of forms_
  std::vector<double> forms_;  // a feature
  Matrix change_;
  bool rounded_ = false;
};

}  // namespace cavity
