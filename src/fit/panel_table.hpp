// What a panel is searched in: a fit of all features with what it says of its own samples, and the table prepared
// anew so that a panel's numbers need no other feature. Ranks within a sample need all of them: values that the fit
// would rank are taken by their logarithms here, where none is negative, and else by asinh around each feature's own
// median.
#pragma once

#include <memory>

#include "cavity/fit.hpp"
#include "fit/panel_search.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

/// How a panel sees the values of this table, whatever the labels are.
PreprocessingOptions panel_preprocessing(const Dataset& data, const PreprocessingOptions& of_fit, ThreadPool& pool);

struct PanelTable {
  Prepared prepared;
  std::unique_ptr<const Design> design;
  Matrix always;  // samples x (intercept, covariates)
  bool intercept;
  Matrix target;  // see PanelProblem

  PanelProblem problem() const { return {*design, always, intercept, target}; }
};

/// `fit` is of these data. Its probabilities are taken as the classes are in training, whatever its class shares.
std::unique_ptr<const PanelTable> panel_table(const Dataset& data, const Model& fit, const PreprocessingOptions& how,
                                              const FitOptions& options, ThreadPool& pool);

/// A sample: an input of the table as it was before it was centred and scaled.
std::vector<double> panel_values(const PanelTable& table, std::size_t input);

/// Samples x columns, of any rows that were prepared alike: the fields of a panel of a table.
Matrix panel_fields(const Inputs& rows, std::span<const std::size_t> features, bool intercept, const Matrix& weight);

}  // namespace cavity
