#include "assess/strongest_feature.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assess/covariate_space.hpp"
#include "kernels/matrix_product.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

constexpr std::size_t block = 64;  // features at a time: memory is as many times the labellings

/// A column a list and question: R e over its length; 0 where nothing is left.
Matrix targets_of(const Labelling& labelled, const Eigen::MatrixXd& basis,
                  std::span<const std::vector<std::size_t>> sources) {
  const auto samples = static_cast<Eigen::Index>(labelled.classes.size());
  const std::size_t questions = question_count(labelled.count);
  Matrix out(samples, static_cast<Eigen::Index>(sources.size() * questions));
  for (std::size_t q = 0; q < questions; ++q) {
    Eigen::VectorXd own(samples);
    const std::uint32_t of_class = class_of_question(q, labelled.count);
    for (Eigen::Index mu = 0; mu < samples; ++mu)
      own[mu] = labelled.classes[static_cast<std::size_t>(mu)] == of_class ? 1 : 0;
    own -= basis * (basis.transpose() * own);
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (Eigen::Index mu = 0; mu < samples; ++mu)
        out(mu, static_cast<Eigen::Index>(i * questions + q)) =
            own[static_cast<Eigen::Index>(sources[i][static_cast<std::size_t>(mu)])];
  }
  out -= basis * (basis.transpose() * out);
  for (auto column : out.colwise())
    if (const double length = column.norm(); length > 0) column /= length;
  return out;
}

/// The largest of some features, a column of the targets.
Eigen::VectorXd largest_of(const Design& design, std::size_t first, const Eigen::MatrixXd& basis,
                           const Matrix& targets) {
  std::vector<std::size_t> which(std::min(block, design.features() - first));
  std::iota(which.begin(), which.end(), first);
  Matrix columns;
  design.columns(which, columns);
  const Eigen::VectorXd all = columns.colwise().squaredNorm(),
                        known = (basis.transpose() * columns).colwise().squaredNorm();
  for (Eigen::Index l = 0; l < all.size(); ++l) {
    const double left = all[l] - known[l];
    columns.col(l) *= left > nothing_left * all[l] ? 1 / std::sqrt(left) : 0;
  }
  Matrix said = Matrix::Zero(columns.cols(), targets.cols());
  ThreadPool alone(1);
  add_product(1, MatrixView(columns).transposed(), targets, said, alone);
  Eigen::RowVectorXd largest = Eigen::RowVectorXd::Zero(targets.cols());
  for (Eigen::Index l = 0; l < said.rows(); ++l)  // as they lie in memory
    largest = largest.cwiseMax(said.row(l).cwiseAbs());
  return largest;
}

}  // namespace

std::vector<double> strongest_feature(const Design& design, const Labelling& labelled,
                                      std::span<const std::vector<std::size_t>> sources, ThreadPool& pool) {
  const Eigen::MatrixXd basis = covariate_basis(labelled.covariates);
  const Matrix targets = targets_of(labelled, basis, sources);
  const std::size_t blocks = (design.features() + block - 1) / block, questions = question_count(labelled.count);
  std::vector<Eigen::VectorXd> largest(blocks);
  pool.run(blocks, [&](std::size_t b) { largest[b] = largest_of(design, b * block, basis, targets); });
  std::vector<double> mine(sources.size(), 0);
  for (const Eigen::VectorXd& of_block : largest)
    for (Eigen::Index j = 0; j < of_block.size(); ++j)
      mine[static_cast<std::size_t>(j) / questions] =
          std::max(mine[static_cast<std::size_t>(j) / questions], of_block[j]);
  const std::vector<double> all = design.shards().join(mine);
  for (std::size_t i = 0; i < all.size(); ++i) mine[i % mine.size()] = std::max(mine[i % mine.size()], all[i]);
  return mine;
}

}  // namespace cavity
