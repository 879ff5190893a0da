#include "assess/one_step.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "assess/area_under_roc.hpp"
#include "assess/covariates_alone.hpp"
#include "kernels/matrix_product.hpp"
#include "kernels/positive_definite.hpp"
#include "model/activation.hpp"
#include "model/normal.hpp"
#include "model/score.hpp"

namespace cavity {

namespace {

using Vector = Eigen::VectorXd;

// k: the field's sd is two widths. 1 loses what the kernel's smaller directions say (14 samples of prostate: p < .05 in
// .20 of draws, 4: .30, 16: .35), 16 some of what the large ones do (25 of breast: .45, .44, .42).
constexpr double field_variance = 4;
// For a mean square that must not be 0: of a column that is.
constexpr double nothing = 1e-30;
// Lists whose products are taken together: one pass over A serves them all.
constexpr std::size_t together = 16;

std::size_t class_columns(const Labelling& labelled) { return labelled.count == 2 ? 1 : labelled.count; }

struct Guess {
  double field, density, curve;  // m, phi, c
};

Guess guess(double share) {
  const double m = normal_quantile(share), density = normal_pdf(m);
  return {m, density, share * (1 - share) / (density * density)};
}

/// Of a class, each group counted once: what no exchange of labels alters.
double share_of_groups(const Labelling& labelled, std::size_t of_class) {
  double out = 0;
  for (std::size_t mu = 0; mu < labelled.classes.size(); ++mu) {
    const double size =
        labelled.groups ? static_cast<double>(labelled.groups->members[labelled.groups->of[mu]].size()) : 1;
    if (labelled.classes[mu] == of_class) out += 1 / size;
  }
  return out / static_cast<double>(labelled.groups ? labelled.groups->count() : labelled.classes.size());
}

double mean_noise(const Labelling& labelled) {
  double sum = 0, present = 0;
  for (std::size_t k = labelled.count == 2 ? 1 : 0; k < labelled.count; ++k) {
    const double share = share_of_groups(labelled, k);
    if (share <= 0 || share >= 1) continue;
    sum += guess(share).curve * (1 + field_variance) - field_variance;
    ++present;
  }
  return present > 0 ? sum / present : 1;
}

}  // namespace

OneStep::OneStep(const Matrix& kernel, const Labelling& labelled, ThreadPool& pool)
    : labelled_(labelled), noise_(mean_noise(labelled)), inverse_(field_variance / noise_ * kernel) {
  inverse_.diagonal().array() += 1;
  if (!invert_positive_definite(inverse_, pool)) throw std::invalid_argument("a kernel that is not positive");
}

double OneStep::operations_once(std::size_t samples) { return std::pow(static_cast<double>(samples), 3); }

double OneStep::operations_each(const Labelling& labelled) {
  const auto samples = static_cast<double>(labelled.classes.size());
  const auto columns = static_cast<double>(class_columns(labelled)) + static_cast<double>(labelled.covariates.cols());
  double out = samples * columns * (samples + columns + 100);  // a logarithm is worth many
  if (labelled.groups)
    for (const auto& group : labelled.groups->members) out += std::pow(static_cast<double>(group.size()), 3);
  return out;
}

OneStep::Columns OneStep::columns(std::span<const std::size_t> source) const {
  const auto samples = static_cast<Eigen::Index>(source.size());
  const std::size_t count = class_columns(labelled_);
  Columns out{Matrix(samples, labelled_.covariates.cols()), Matrix(samples, static_cast<Eigen::Index>(count)), {}};
  for (Eigen::Index i = 0; i < samples; ++i)
    out.covariates.row(i) = labelled_.covariates.row(static_cast<Eigen::Index>(source[static_cast<std::size_t>(i)]));
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t of_class = count == 1 ? 1 : k;
    auto column = out.targets.col(static_cast<Eigen::Index>(k));
    for (Eigen::Index i = 0; i < samples; ++i)
      column[i] = labelled_.classes[source[static_cast<std::size_t>(i)]] == of_class ? 1 : 0;
    out.share.push_back(column.mean());
    column.array() -= out.share.back();
  }
  return out;
}

// `targets`: W t; `gain`: (C^-1 + Z^T B)^-1 B^T.
OneStep::LeftOut OneStep::leave_out(const Matrix& targets, const Matrix& b, const Matrix& gain) const {
  LeftOut out{targets, Vector(targets.rows())};
  for (Eigen::Index i = 0; i < targets.rows(); ++i) {
    out.variance[i] = 1 / (inverse_(i, i) - b.row(i).dot(gain.col(i)));
    out.error.row(i) *= out.variance[i];
  }
  if (!labelled_.groups) return out;
  for (const auto& group : labelled_.groups->members) {
    if (group.size() == 1) continue;
    const std::vector<Eigen::Index> at(group.begin(), group.end());
    const Matrix own = inverse_(at, at) - b(at, Eigen::all) * gain(Eigen::all, at);
    const Eigen::LLT<Matrix> llt(own);
    const Matrix covariance = llt.solve(Matrix::Identity(own.rows(), own.cols()));
    out.error(at, Eigen::all) = covariance * targets(at, Eigen::all);
    out.variance(at) = covariance.diagonal();
  }
  return out;
}

OneStep::Judged OneStep::judge(const Columns& list, const Matrix& product) const {
  const Matrix &z = list.covariates, b = product.leftCols(z.cols());
  Matrix wt = product.rightCols(list.targets.cols()), gain(z.cols(), z.rows());
  if (z.cols() > 0) {
    Matrix inner = z.transpose() * b;
    const Vector mean_square = z.colwise().squaredNorm().transpose().cwiseMax(nothing) / static_cast<double>(z.rows());
    inner.diagonal() += next_to_free * mean_square;
    const Eigen::LLT<Matrix> llt(inner);
    gain = llt.solve(b.transpose());
    wt -= b * llt.solve(z.transpose() * wt);
  }
  const LeftOut left = leave_out(wt, b, gain);
  std::vector<double> mean(static_cast<std::size_t>(z.rows())), variance(mean.size()), log_own(mean.size());
  Judged out{Matrix::Zero(z.rows(), wt.cols()), 0};
  for (std::size_t k = 0; k < list.share.size(); ++k) {
    const double p = list.share[k];
    const auto column = static_cast<Eigen::Index>(k);
    if (p <= 0) out.score.col(column).setConstant(-std::numeric_limits<double>::infinity());
    if (p <= 0 || p >= 1) continue;
    const Guess at = guess(p);
    for (Eigen::Index i = 0; i < z.rows(); ++i) {
      const auto mu = static_cast<std::size_t>(i);
      const double t = list.targets(i, column);
      const double field = std::sqrt(1 + field_variance) * (at.field + (t - left.error(i, column)) / at.density);
      mean[mu] = t > 0 ? field : -field;
      variance[mu] = noise_ * std::max(left.variance[i] - 1, 0.0);
      out.score(i, column) = field / std::sqrt(1 + variance[mu]);
    }
    probit(1).log_averages(mean, variance, log_own);
    for (const double one : log_own) out.log_loss -= one / static_cast<double>(mean.size());
  }
  return out;
}

template <class Out, class Take>
std::vector<Out> OneStep::each_list(std::span<const std::vector<std::size_t>> sources, ThreadPool& pool,
                                    const Take& take) const {
  std::vector<Out> out(sources.size());
  const Eigen::Index samples = inverse_.rows(), free = labelled_.covariates.cols();
  const Eigen::Index width = free + static_cast<Eigen::Index>(class_columns(labelled_));
  pool.run((sources.size() + together - 1) / together, [&](std::size_t block) {
    const auto some = sources.subspan(block * together, std::min(together, sources.size() - block * together));
    std::vector<Columns> lists;
    Matrix right = Matrix::Zero(samples, width * static_cast<Eigen::Index>(together));
    for (std::size_t i = 0; i < some.size(); ++i) {
      lists.push_back(columns(some[i]));
      right.middleCols(static_cast<Eigen::Index>(i) * width, width) << lists[i].covariates, lists[i].targets;
    }
    Matrix product = Matrix::Zero(samples, right.cols());
    add_product(1, inverse_, right, product, pool);
    for (std::size_t i = 0; i < some.size(); ++i)
      out[block * together + i] =
          take(judge(lists[i], product.middleCols(static_cast<Eigen::Index>(i) * width, width)), some[i]);
  });
  return out;
}

LeftOutFigures OneStep::figures_of(const Judged& judged, std::span<const std::size_t> source) const {
  LeftOutFigures out;
  out.log_loss = judged.log_loss;
  const Matrix& score = judged.score;
  std::vector<double> up, down;  // of two classes P(second), of those that are and of the others
  for (Eigen::Index i = 0; i < score.rows(); ++i) {
    const std::uint32_t own = labelled_.classes[source[static_cast<std::size_t>(i)]];
    double margin = own == 1 ? score(i, 0) : -score(i, 0);  // of two classes
    if (score.cols() > 1) {
      margin = std::numeric_limits<double>::infinity();
      for (Eigen::Index k = 0; k < score.cols(); ++k)
        if (k != static_cast<Eigen::Index>(own)) margin = std::min(margin, score(i, own) - score(i, k));
    } else {
      (own == 1 ? up : down).push_back(normal_cdf(score(i, 0)));
    }
    out.error += wrong_sign(margin) / static_cast<double>(score.rows());
  }
  if (up.empty() || down.empty()) return out;
  std::ranges::sort(up);
  std::ranges::sort(down);
  const auto below_half = [](const std::vector<double>& some) {
    return static_cast<double>(std::ranges::lower_bound(some, 0.5) - some.begin()) / static_cast<double>(some.size());
  };
  out.auc = area_under_roc(up, down);
  out.sensitivity = 1 - below_half(up);
  out.specificity = below_half(down);
  return out;
}

std::vector<double> OneStep::log_losses(std::span<const std::vector<std::size_t>> sources, ThreadPool& pool) const {
  return each_list<double>(sources, pool, [](const Judged& judged, const auto&) { return judged.log_loss; });
}

std::vector<LeftOutFigures> OneStep::figures(std::span<const std::vector<std::size_t>> sources,
                                             ThreadPool& pool) const {
  return each_list<LeftOutFigures>(
      sources, pool, [this](const Judged& judged, const auto& source) { return figures_of(judged, source); });
}

}  // namespace cavity
