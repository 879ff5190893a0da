#include "fit/nothing_share.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assess/covariates_alone.hpp"
#include "fit/multinomial.hpp"
#include "fit/softmax.hpp"
#include "model/negligible.hpp"

namespace cavity {

namespace {

/// Laplace's rule.
std::vector<double> frequencies(std::span<const std::size_t> counts) {
  const std::size_t samples = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  std::vector<double> out;
  for (const std::size_t count : counts)
    out.push_back(static_cast<double>(count + 1) / static_cast<double>(samples + counts.size()));
  return out;
}

/// 1 and the covariates.
Matrix inputs_of(const FeatureMatrix& covariates, std::size_t samples) {
  Matrix out = Matrix::Ones(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(covariates.cols + 1));
  for (std::size_t mu = 0; mu < samples; ++mu)
    for (std::size_t j = 0; j < covariates.cols; ++j)
      out(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j + 1)) = covariates.row(mu)[j];
  return out;
}

Matrix softmax(Matrix field) { return log_softmax(std::move(field)).array().exp(); }

/// To the fields of samples left out: their own label does not make its class rarer. One that has no others stays.
void count_themselves(std::span<const std::size_t> counts, const KnownBeside& known, Matrix& field) {
  for (std::size_t mu = 0; mu < known.classes.size(); ++mu) {
    std::vector<std::size_t> others(counts.begin(), counts.end());
    if (known.groups)
      for (const std::size_t nu : known.groups->members[known.groups->of[mu]]) --others[known.classes[nu]];
    else
      --others[known.classes[mu]];
    for (std::size_t k = 0; k < others.size(); ++k)
      if (others[k] > 0)
        field(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(k)) +=
            std::log(static_cast<double>(counts[k]) / static_cast<double>(others[k]));
  }
}

}  // namespace

Nothing share_of_nothing(double probability, std::span<const std::size_t> class_counts) {
  if (!(probability >= negligible)) return {};
  return {probability, frequencies(class_counts)};
}

NothingSaid nothing_said(double probability, std::span<const std::size_t> class_counts, const KnownBeside& known,
                         ThreadPool& pool) {
  NothingSaid out{share_of_nothing(probability, class_counts)};
  if (out.model.share == 0) return out;
  const std::size_t samples = known.classes.size();
  if (known.covariates.cols == 0) {
    out.left_out = where_nothing_matters(out.model, known.covariates, samples);
    return out;
  }
  const Matrix inputs = inputs_of(known.covariates, samples);
  const auto classes = static_cast<Eigen::Index>(class_counts.size());
  const MultinomialProblem problem{inputs, known.classes, classes, known.groups};
  const Eigen::VectorXd prior = Eigen::VectorXd::Constant(inputs.cols(), alone_precision);
  const Matrix weight = fit_multinomial(problem, prior, Matrix::Zero(inputs.cols(), classes));
  std::optional<Matrix> field = left_out_fields(problem, prior, weight, pool);
  if (!field) return {};
  count_themselves(class_counts, known, *field);
  out.left_out = softmax(std::move(*field));
  const Matrix by_class = weight.transpose();
  out.model.covariate_weight.assign(by_class.data(), by_class.data() + by_class.size());
  return out;
}

Matrix where_nothing_matters(const Nothing& nothing, const FeatureMatrix& covariates, std::size_t samples) {
  const auto classes = static_cast<Eigen::Index>(nothing.probability.size());
  if (nothing.covariate_weight.empty())
    return Eigen::Map<const Eigen::RowVectorXd>(nothing.probability.data(), classes)
        .replicate(static_cast<Eigen::Index>(samples), 1);
  const Eigen::Map<const Matrix> by_class(nothing.covariate_weight.data(), classes,
                                          static_cast<Eigen::Index>(covariates.cols + 1));
  return softmax(inputs_of(covariates, samples) * by_class.transpose());
}

void mix_nothing(double share, const Matrix& otherwise, Matrix& probability) {
  if (share > 0) probability = (1 - share) * probability + share * otherwise;
}

}  // namespace cavity
