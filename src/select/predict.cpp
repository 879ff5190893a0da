// Prediction of new samples by the mixture: P(+) = sum_k w_k g_k(field mean; field variance), then recalibration.
#include <cmath>

#include "cavity/fit.hpp"
#include "design/dense_design.hpp"
#include "infer/predictive.hpp"
#include "model/activation_kind.hpp"
#include "prepare/make_design.hpp"
#include "select/recalibrate.hpp"

namespace cavity {

namespace {

constexpr std::size_t batch = 256;  // new samples a gram matrix

Matrix covariate_matrix(const Model& model, const FeatureMatrix& encoded, std::size_t samples) {
  const std::size_t first = model.intercept ? 1 : 0;
  Matrix out = Matrix::Ones(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(first + encoded.cols));
  for (std::size_t mu = 0; mu < samples; ++mu)
    for (std::size_t j = 0; j < encoded.cols; ++j)
      out(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(first + j)) =
          static_cast<double>(encoded.row(mu)[j]);
  return out;
}

struct NewRows {
  const Applied& inputs;
  FeatureMatrix values;  // samples x inputs; none where no variance asks for them
};

// Training rows and a batch of new ones in one design.
struct Stacked {
  FeatureMatrix values;
  std::vector<double> row_scale;
};
Stacked stack_rows(const Model& model, const NewRows& fresh, std::size_t first, std::size_t count) {
  Stacked out{FeatureMatrix(model.training.rows + count, model.training.cols), model.training_row_scale};
  std::copy(model.training.values.begin(), model.training.values.end(), out.values.values.begin());
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(fresh.values.row(first + i), fresh.values.cols, out.values.row(model.training.rows + i));
    out.row_scale.push_back(fresh.inputs.row_scale[first + i]);
  }
  return out;
}

std::vector<double> field_means(const Component& component, const Design& design, const Matrix& covariates,
                                ThreadPool& pool) {
  std::vector<double> field(design.samples());
  design.times(component.mean, field, pool);
  const double root = std::sqrt(static_cast<double>(design.features()));
  for (std::size_t mu = 0; mu < field.size(); ++mu) {
    field[mu] /= root;
    for (std::size_t j = 0; j < component.covariate_mean.size(); ++j)
      field[mu] +=
          component.covariate_mean[j] * covariates(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
  }
  return field;
}

std::vector<double> field_variances(const Model& model, const Component& component, const NewRows& fresh,
                                    const Matrix& covariates, ThreadPool& pool) {
  const std::size_t samples = fresh.inputs.samples();
  const ScaledColumns& columns = fresh.inputs.columns;
  if (component.feature_precision.empty() || model.training.rows == 0)
    return std::vector<double>(samples, component.common_variance);
  const DenseDesign training(view(model.training), columns.centre, columns.scale, model.training_row_scale);
  Covariates prior;
  prior.values = covariate_matrix(model, model.training_covariates, model.training.rows);
  prior.precision.assign(static_cast<std::size_t>(covariates.cols()), model.covariate_precision);
  const Problem problem{training, model.training_labels, prior, make_activation(model.activation, component.noise),
                        component.density};
  const PredictiveVariance variance(problem, component.feature_precision, component.sample_precision, pool);
  std::vector<double> out;
  for (std::size_t first = 0; first < samples; first += batch) {
    const std::size_t count = std::min(batch, samples - first);
    const Stacked stacked = stack_rows(model, fresh, first, count);
    const DenseDesign design(view(stacked.values), columns.centre, columns.scale, stacked.row_scale);
    const auto part = variance(
        design, covariates.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(count)), pool);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

}  // namespace

Prediction predict(const Model& model, Dataset data, unsigned threads) {
  ThreadPool pool(threads);
  const Applied inputs = apply(model.preprocessing, std::move(data), pool);
  const auto design = make_design(inputs);
  // Stacked on the training rows, which are dense.
  const NewRows fresh{inputs, model.training.rows > 0 ? dense_values(inputs) : FeatureMatrix()};
  const Matrix covariates = covariate_matrix(model, inputs.covariates, inputs.samples());
  Prediction out;
  out.probability.assign(inputs.samples(), 0);
  for (const Component& component : model.components) {
    const AnyActivation activation = make_activation(model.activation, component.noise);
    const auto mean = field_means(component, *design, covariates, pool);
    const auto variance = field_variances(model, component, fresh, covariates, pool);
    for (std::size_t mu = 0; mu < mean.size(); ++mu)
      out.probability[mu] += component.weight * average_likelihood(activation, mean[mu],
                                                                   std::max(variance[mu], 1e-10 * component.density));
  }
  if (model.recalibration)
    for (auto& p : out.probability) p = recalibrated(*model.recalibration, p);
  return out;
}

}  // namespace cavity
