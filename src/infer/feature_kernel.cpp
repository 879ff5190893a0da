#include "infer/feature_kernel.hpp"

#include <algorithm>

namespace cavity {

Matrix KernelParts::at(const KernelScales& scales) const {
  return scales.bent * bent + scales.straight * straight + scales.level * level;
}

Matrix relevant_gram(const Design& design, std::span<const double> relevance, ThreadPool& pool, Precision precision) {
  Matrix out;
  design.gram(relevance, out, pool, precision);
  return out;
}

Matrix bent_part(const Matrix& gram, ThreadPool& pool) {
  const Eigen::RowVectorXd square = gram.diagonal().transpose();
  Matrix out(gram.rows(), gram.cols());
  constexpr Eigen::Index rows = 32;
  pool.run(static_cast<std::size_t>((gram.rows() + rows - 1) / rows), [&](std::size_t block) {
    const Eigen::Index first = static_cast<Eigen::Index>(block) * rows, end = std::min(first + rows, gram.rows());
    for (Eigen::Index mu = first; mu < end; ++mu)
      out.row(mu) = (gram.row(mu).array() - 0.5 * (square.array() + square[mu])).min(0.0).exp();
  });
  return out;
}

Matrix level_part(const Matrix& covariates, std::span<const double> precision) {
  Matrix out = Matrix::Zero(covariates.rows(), covariates.rows());
  for (std::size_t j = 0; j < precision.size(); ++j) {
    const Eigen::VectorXd column = covariates.col(static_cast<Eigen::Index>(j));
    out.noalias() += column * column.transpose() / precision[j];
  }
  return out;
}

KernelParts kernel_parts(const Design& design, std::span<const double> relevance, const Covariates& covariates,
                         ThreadPool& pool, Precision precision) {
  KernelParts out;
  out.straight = relevant_gram(design, relevance, pool, precision);
  out.bent = bent_part(out.straight, pool);
  out.level = covariates.count() > 0 ? level_part(covariates.values, covariates.precision)
                                     : Matrix::Zero(out.bent.rows(), out.bent.cols());
  return out;
}

}  // namespace cavity
