// Mean and variance of the fields of new samples under an EP posterior, in the dual (samples x samples) form.
#pragma once

#include <memory>

#include "design/tiled_design.hpp"
#include "infer/joint_gaussian.hpp"

namespace cavity {

/// x . mean/sqrt(N) + z . covariate_mean for every row of the design, without labels.
std::vector<double> field_means(const Design& design, std::span<const double> mean, const Matrix& covariates,
                                std::span<const double> covariate_mean, ThreadPool& pool);

/// The training problem with a posterior's site precisions; factored once, then asked for batches of new samples.
class PredictiveVariance {
 public:
  /// `problem` must outlive this. Throws InputError when the sites are not positive definite.
  PredictiveVariance(const Problem& problem, std::vector<double> feature_precision,
                     std::vector<double> sample_precision, ThreadPool& pool);
  ~PredictiveVariance();

  /// `stacked`: the training rows followed by the new ones; `covariates`: those of the new ones.
  std::vector<double> operator()(const Design& stacked, const Matrix& covariates, ThreadPool& pool) const;

  /// The same, to the last bit, from the training rows and the new ones apart: what new ones have to do with each other
  /// is not multiplied. samples x new ones x features.
  std::vector<double> operator()(const TiledDesign& training, const TiledDesign& fresh, const Matrix& covariates,
                                 ThreadPool& pool) const;

  /// The same from products over the features, weighted by weights(): of the new rows with the training ones, of each
  /// with itself, and the new rows' entries at the split features, unweighted.
  struct NewProducts {
    Matrix cross;
    Eigen::VectorXd squares;
    Matrix split;
  };
  std::vector<double> operator()(const NewProducts& products, const Matrix& covariates) const;
  const std::vector<double>& weights() const;
  const std::vector<std::size_t>& split_features() const;

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace cavity
