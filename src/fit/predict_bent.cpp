#include "fit/predict_bent.hpp"

#include <algorithm>

#include "design/dense_design.hpp"
#include "fit/make_covariates.hpp"
#include "infer/feature_kernel.hpp"
#include "infer/kernel_predictive.hpp"
#include "model/activation_kind.hpp"

namespace cavity {

namespace {

constexpr std::size_t batch = 256;  // new samples a kernel

/// The training samples and some new ones after them.
class StackedRows {
 public:
  StackedRows(const TrainingRows& training, const CellMixture& mixture, const NewSamples& fresh, std::size_t first,
              std::size_t count)
      : values_(training.values.rows + count, training.values.cols), row_scale_(training.row_scale) {
    std::copy(training.values.values.begin(), training.values.values.end(), values_.values.begin());
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(fresh.values.row(first + i), values_.cols, values_.row(training.values.rows + i));
      row_scale_.push_back(fresh.inputs.row_scale[first + i]);
    }
    covariates_ =
        make_covariates(training.covariates, training.values.rows, mixture.intercept, mixture.covariate_precision);
    const Eigen::Index known = covariates_.values.rows(), added = static_cast<Eigen::Index>(count);
    covariates_.values.conservativeResize(known + added, Eigen::NoChange);
    covariates_.values.bottomRows(added) = fresh.covariates.middleRows(static_cast<Eigen::Index>(first), added);
  }

  Matrix kernel(const BentComponent& c, const ScaledColumns& columns, ThreadPool& pool) const {
    const DenseDesign design(view(values_), columns.centre, columns.scale, row_scale_);
    return kernel_parts(design, c.relevance, covariates_, pool).at({c.bent, c.straight, c.level});
  }

 private:
  FeatureMatrix values_;
  std::vector<double> row_scale_;
  Covariates covariates_;
};

void add_component(const BentComponent& c, ActivationKind kind, const Matrix& kernel, ThreadPool& pool,
                   std::span<double> out) {
  const auto known = static_cast<Eigen::Index>(c.sample_precision.size()), added = kernel.rows() - known;
  const Matrix own = kernel.topLeftCorner(known, known), cross = kernel.bottomLeftCorner(added, known);
  const NewFields fields =
      KernelPredictive(own, {c.sample_precision, c.sample_linear}, pool)(cross, kernel.diagonal().tail(added), pool);
  const AnyActivation activation = make_activation(kind, c.noise, c.width, 1);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] += c.weight * average_likelihood(activation, fields.mean[i], fields.variance[i]);
}

}  // namespace

std::vector<double> bent_probability(const TrainingRows& training, const CellMixture& mixture, const NewSamples& fresh,
                                     ThreadPool& pool) {
  if (mixture.bent.share == 0) return {};
  const std::size_t samples = fresh.inputs.samples();
  std::vector<double> out(samples, 0);
  for (std::size_t first = 0; first < samples; first += batch) {
    const std::size_t count = std::min(batch, samples - first);
    const StackedRows stacked(training, mixture, fresh, first, count);
    for (const BentComponent& c : mixture.bent.components)
      add_component(c, mixture.activation, stacked.kernel(c, fresh.inputs.columns, pool), pool,
                    std::span(out).subspan(first, count));
  }
  return out;
}

}  // namespace cavity
