// Variances of the fields of new rows under a model's components. Those of EP are in the form of the training rows,
// which are packed once and factored once a component.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cavity/model.hpp"
#include "design/rows_at.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

/// Rows whose values at some features are combinations of the training rows': x_A = X_A^T a.
struct ToldRows {
  std::vector<std::size_t> there;
  const Matrix& combination;  // rows x training rows: a
};

class FieldVariances {
 public:
  /// `model` must outlive this. `columns`: of all inputs that are asked for.
  FieldVariances(const Model& model, const ScaledColumns& columns);
  ~FieldVariances();

  /// New samples: as products, their values where there are training rows, and their covariates as the fields see them.
  struct Rows {
    const Inputs& inputs;
    const FeatureMatrix& values;
    const Design& design;
    const Matrix& covariates;
    const ToldRows* told = nullptr;  // where all lack the same features
  };
  std::vector<double> operator()(std::size_t question, std::size_t component, const Rows& rows, ThreadPool& pool);

 private:
  struct Factored;
  std::vector<double> of_told(const DenseDesign& fresh, const Rows& rows, ThreadPool& pool);

  const Model& model_;
  std::optional<DenseDesign> training_;           // none where the model has no training rows
  std::unique_ptr<Factored> last_;                // of the component that was asked for last
  std::unique_ptr<const RowsAt> training_there_;  // of told rows, once they were asked for
};

}  // namespace cavity
