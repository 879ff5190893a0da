#include "fit/panel_table.hpp"

#include <algorithm>

#include "assess/one_kind.hpp"
#include "fit/make_covariates.hpp"
#include "prepare/make_design.hpp"
#include "prepare/transform.hpp"
#include "table/table.hpp"

namespace cavity {

namespace {

using Choice = PreprocessingOptions::Choice;

bool looks_ranked(const Dataset& data, Choice choice, ThreadPool& pool) {
  if (choice == Choice::rank || choice == Choice::asinh) return true;
  if (choice != Choice::automatic || !data.features.is_dense() || data.features.cols() < fewest_of_one_kind)
    return false;
  const ColumnMoments moments = data.features.table().moments(0, data.features.cols(), pool);
  return choose_transform(measure_spread(data.features.dense(), moments.mean, pool), data.features.cols()) ==
         Transform::rank;
}

bool none_negative(const FeatureMatrix& values) {
  for (std::size_t mu = 0; mu < values.rows; ++mu)
    if (std::any_of(values.row(mu), values.row(mu) + values.cols, [](float x) { return x < 0; })) return false;
  return true;
}

/// A copy of what prepare() takes; the values are shared until they are written to.
Dataset table_of(const Dataset& data) {
  Dataset out;
  out.features = data.features;
  out.feature_names = data.feature_names;
  out.sample_names = data.sample_names;
  out.covariates = data.covariates;
  out.absent_is_zero = data.absent_is_zero;
  return out;
}

Matrix target_of(const Prediction& said, std::size_t samples) {
  const bool two = said.classes == 2;
  Matrix out(static_cast<Eigen::Index>(samples), two ? 1 : static_cast<Eigen::Index>(said.classes));
  for (std::size_t mu = 0; mu < samples; ++mu)
    for (Eigen::Index k = 0; k < out.cols(); ++k)
      out(static_cast<Eigen::Index>(mu), k) = said.at(mu, two ? 1 : static_cast<std::size_t>(k));
  return out;
}

}  // namespace

PreprocessingOptions panel_preprocessing(const Dataset& data, const PreprocessingOptions& of_fit, ThreadPool& pool) {
  PreprocessingOptions out = of_fit;
  out.equal_rows = false;
  if (!looks_ranked(data, of_fit.transform, pool)) return out;
  const bool logs = data.features.is_dense() ? none_negative(data.features.dense()) : data.features.table().sparse();
  out.transform = logs ? Choice::log1p : Choice::feature_asinh;
  return out;
}

std::unique_ptr<const PanelTable> panel_table(const Dataset& data, const Model& fit, const PreprocessingOptions& how,
                                              const FitOptions& options, ThreadPool& pool) {
  auto out = std::make_unique<PanelTable>();
  out->target = target_of(predict(fit, table_of(data), static_cast<unsigned>(pool.size())), data.samples());
  out->prepared = prepare(table_of(data), how, pool);
  out->design = make_design(out->prepared);
  out->intercept = options.intercept;
  out->always = make_covariates(out->prepared.covariates, data.samples(), options.intercept, 1).values;
  return out;
}

std::vector<double> panel_values(const PanelTable& table, std::size_t input) {
  const Preprocessing& p = table.prepared.preprocessing;
  Matrix own(table.always.rows(), 1);
  table.design->columns(std::span(&input, 1), own);
  std::vector<double> out;
  for (Eigen::Index mu = 0; mu < own.rows(); ++mu)
    out.push_back(own(mu, 0) / (p.scale[input] * table.prepared.row_scale[static_cast<std::size_t>(mu)]) +
                  p.centre[input]);
  return out;
}

Matrix panel_fields(const Inputs& rows, std::span<const std::size_t> features, bool intercept, const Matrix& weight) {
  const Matrix always = make_covariates(rows.covariates, rows.samples(), intercept, 1).values;
  const auto design = make_design(rows);
  Matrix none;
  const PanelProblem problem{*design, always, intercept, none};
  return panel_inputs(problem, features) * weight;
}

}  // namespace cavity
