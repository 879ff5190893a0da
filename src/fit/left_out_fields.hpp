// What a cell says of its own training samples with each left out, and what is then missing of its weights' mean:
// without sample i, whose site has precision omega_i and whose field is f_i with variance B_ii,
//   m^(-i) = m - Sigma x_i (f_i - D_i)/B_ii,   D_i + V_i y_i a(y_i D_i; V_i) = f_i,   1/V_i = 1/B_ii - omega_i,
// so that all fields over some features A only shift by -K_A (1 + O K)^-1 (f_i - D_i)/B_ii, with K = X T X^T/N, K_A the
// same over A, O = diag(omega) and T the features' prior variances. Cost: a weighted gram matrix and O(samples^3).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/matrix.hpp"
#include "design/dense_design.hpp"
#include "infer/problem.hpp"
#include "model/activation.hpp"

namespace cavity {

/// A cell at its solution, as a model keeps it.
struct KeptCell {
  std::vector<double> feature_variance;  // T
  std::vector<double> sample_precision;  // omega; empty: none, as where samples act by their mean alone
  AnyActivation activation;
  double covariate_precision = 0;
};

class LeftOutFields {
 public:
  /// `fields`: of the training samples, by all of them; `labels`: +1 and -1.
  LeftOutFields(const DenseDesign& training, const Covariates& covariates, const KeptCell& cell,
                const std::vector<double>& fields, const std::vector<std::int8_t>& labels, ThreadPool& pool);

  /// D: of each sample by the others.
  const std::vector<double>& fields() const { return fields_; }

  /// Row nu, column i: by how much the part over `features` of field nu falls as sample i is left out.
  Matrix falls(const DenseDesign& training, const std::vector<std::size_t>& features, ThreadPool& pool) const;

 private:
  std::vector<double> feature_variance_, fields_;
  Matrix reach_;  // (1 + O K)^-1 diag((f - D)/B)
};

}  // namespace cavity
