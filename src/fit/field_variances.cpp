#include "fit/field_variances.hpp"

#include <algorithm>
#include <utility>

#include "fit/make_covariates.hpp"
#include "infer/gamp.hpp"
#include "infer/predictive.hpp"
#include "kernels/matrix_product.hpp"
#include "model/activation_kind.hpp"

namespace cavity {

namespace {

constexpr std::size_t batch = 256;  // new samples at a time

}  // namespace

struct FieldVariances::Factored {
  std::size_t question, component;
  Covariates prior;
  std::vector<std::int8_t> any;  // the variance does not depend on the labels
  Problem problem;
  PredictiveVariance variance;

  Factored(const Model& model, std::size_t q, std::size_t k, const DenseDesign& training, ThreadPool& pool)
      : Factored(model, model.questions[q].mixture, q, k, training, pool) {}

 private:
  Factored(const Model& model, const CellMixture& mixture, std::size_t q, std::size_t k, const DenseDesign& training,
           ThreadPool& pool)
      : question(q),
        component(k),
        prior(make_covariates(model.training.covariates, training.samples(), mixture.intercept,
                              mixture.covariate_precision)),
        any(training.samples(), 1),
        problem{training, any, prior,
                make_activation(mixture.activation, mixture.components[k].noise, mixture.components[k].width,
                                mixture.components[k].density),
                mixture.components[k].density},
        variance(problem, mixture.components[k].feature_precision, mixture.components[k].sample_precision, pool) {}
};

FieldVariances::FieldVariances(const Model& model, const ScaledColumns& columns) : model_(model) {
  const TrainingRows& rows = model.training;
  if (rows.values.rows > 0) training_.emplace(view(rows.values), columns.centre, columns.scale, rows.row_scale);
}

FieldVariances::~FieldVariances() = default;

std::vector<double> FieldVariances::operator()(std::size_t question, std::size_t component, const Rows& rows,
                                               ThreadPool& pool) {
  const std::size_t samples = rows.inputs.samples();
  const Component& c = model_.questions[question].mixture.components[component];
  if (!c.variance.empty())
    return own_field_variances(rows.design, c.variance, rows.covariates, c.covariate_variance, pool);
  if (c.feature_precision.empty() || !training_) return std::vector<double>(samples, c.common_variance);
  if (!last_ || last_->question != question || last_->component != component)
    last_ = std::make_unique<Factored>(model_, question, component, *training_, pool);
  const DenseDesign fresh(view(rows.values), training_->centre(), training_->scale(), rows.inputs.row_scale, 0);
  if (rows.told) return of_told(fresh, rows, pool);
  std::vector<double> out;
  for (std::size_t first = 0; first < samples; first += batch) {
    const std::size_t count = std::min(batch, samples - first);
    const auto part = last_->variance(
        *training_, rows_of(fresh, {first, count}),
        rows.covariates.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(count)), pool);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

/// What is told adds in the form of the training rows: with K_A = X_A T X_A^T, a^T K_A to the products with them and
/// a^T K_A a to a row's own. What is there is multiplied.
std::vector<double> FieldVariances::of_told(const DenseDesign& fresh, const Rows& rows, ThreadPool& pool) {
  const ToldRows& told = *rows.told;
  const PredictiveVariance& variance = last_->variance;
  if (!training_there_)
    training_there_ = std::make_unique<const RowsAt>(*training_, RowRange{0, training_->samples()}, told.there, true);
  std::vector<double> there, missing = variance.weights();
  for (const std::size_t l : told.there) there.push_back(std::exchange(missing[l], 0));
  Matrix among;
  training_->gram(missing, among, pool);
  std::vector<double> out;
  for (std::size_t first = 0; first < fresh.samples(); first += batch) {
    const std::size_t count = std::min(batch, fresh.samples() - first);
    const auto from = static_cast<Eigen::Index>(first), size = static_cast<Eigen::Index>(count);
    PredictiveVariance::NewProducts products;
    products.squares.resize(size);
    const RowsAt some(fresh, {first, count}, told.there, false);
    training_there_->design().gram_beside(some.design(), there, products.cross, {products.squares.data(), count}, pool);
    const Matrix combination = told.combination.middleRows(from, size);
    Matrix by_told = Matrix::Zero(size, among.cols());
    add_product(1, combination, among, by_told, pool);
    products.cross += by_told;
    products.squares += by_told.cwiseProduct(combination).rowwise().sum();
    if (!variance.split_features().empty())
      rows_of(fresh, {first, count}).columns(variance.split_features(), products.split);
    const auto part = variance(products, rows.covariates.middleRows(from, size));
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

}  // namespace cavity
