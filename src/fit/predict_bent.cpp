#include "fit/predict_bent.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "design/dense_design.hpp"
#include "fit/make_covariates.hpp"
#include "infer/feature_kernel.hpp"
#include "infer/kernel_predictive.hpp"
#include "model/activation_kind.hpp"

namespace cavity {

namespace {

constexpr std::size_t batch = 256;         // new samples a kernel
constexpr std::size_t most_points = 1024;  // rows a product with the sites, and of what may be missed a kernel

using Row = Eigen::Index;

/// New samples next to each other, and where in a kernel after them what may be missed of a pattern stands.
struct Batch {
  std::size_t first = 0, count = 0, missed = 0;
  std::map<std::size_t, std::size_t> of_pattern{};  // its first row, counted from the batch's first sample
};

std::vector<Batch> batches_of(const NewSamples& fresh) {
  const std::size_t samples = fresh.inputs.samples();
  std::vector<Batch> out;
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const std::size_t pattern = fresh.doubt ? fresh.doubt->pattern_of[mu] : Doubt::whole;
    const std::size_t missed = pattern == Doubt::whole ? 0 : fresh.doubt->patterns[pattern].missed;
    const bool new_rows = missed > 0 && (out.empty() || !out.back().of_pattern.contains(pattern));
    if (out.empty() || out.back().count == batch || (new_rows && out.back().missed + missed > most_points))
      out.push_back({mu});
    Batch& last = out.back();
    ++last.count;
    if (missed == 0 || last.of_pattern.contains(pattern)) continue;
    last.of_pattern[pattern] = last.missed;
    last.missed += missed;
  }
  for (Batch& one : out)
    for (auto& [pattern, row] : one.of_pattern) row += one.count;
  return out;
}

/// The training samples, some new ones after them, and then what may be missed of these.
class StackedRows {
 public:
  StackedRows(const TrainingRows& training, const CellMixture& mixture, const NewSamples& fresh, const Batch& these)
      : values_(training.values.rows + these.count + these.missed, training.values.cols),
        row_scale_(training.row_scale) {
    const std::size_t known = training.values.rows;
    std::copy(training.values.values.begin(), training.values.values.end(), values_.values.begin());
    for (std::size_t i = 0; i < these.count; ++i) {
      std::copy_n(fresh.values.row(these.first + i), values_.cols, values_.row(known + i));
      row_scale_.push_back(fresh.inputs.row_scale[these.first + i]);
    }
    row_scale_.resize(values_.rows, 1);
    for (const auto& [pattern, row] : these.of_pattern) {
      const Doubt::Pattern& from = fresh.doubt->patterns[pattern];
      const FeatureMatrix& missed = fresh.doubt->missed.features.dense();
      for (std::size_t i = 0; i < from.missed; ++i)
        std::copy_n(missed.row(from.first_missed + i), values_.cols, values_.row(known + row + i));
    }
    covariates_ = make_covariates(training.covariates, known, mixture.intercept, mixture.covariate_precision);
    const Row added = static_cast<Row>(these.count), missed = static_cast<Row>(these.missed);
    covariates_.values.conservativeResize(static_cast<Row>(values_.rows), Eigen::NoChange);
    covariates_.values.middleRows(static_cast<Row>(known), added) =
        fresh.covariates.middleRows(static_cast<Row>(these.first), added);
    covariates_.values.bottomRows(missed).setZero();
  }

  KernelParts parts(const BentComponent& c, const ScaledColumns& columns, ThreadPool& pool) const {
    const DenseDesign design(view(values_), columns.centre, columns.scale, row_scale_);
    return kernel_parts(design, c.relevance, covariates_, pool);
  }

 private:
  FeatureMatrix values_;
  std::vector<double> row_scale_;
  Covariates covariates_;
};

/// A new sample as it stands, or with something added that a regression may have missed of it.
struct Point {
  std::size_t sample;
  Row row, missed;  // of the kernel; missed: -1, as it stands
  double weight;    // in the sample's answer
};

std::vector<Point> points_of(const NewSamples& fresh, const Batch& these, std::size_t known) {
  std::vector<Point> out;
  for (std::size_t i = 0; i < these.count; ++i) {
    const std::size_t sample = these.first + i, pattern = fresh.doubt ? fresh.doubt->pattern_of[sample] : Doubt::whole;
    const Row row = static_cast<Row>(known + i);
    const std::size_t missed = pattern == Doubt::whole ? 0 : fresh.doubt->patterns[pattern].missed;
    if (missed == 0) out.push_back({sample, row, -1, 1});
    for (std::size_t k = 0; k < missed; ++k)
      out.push_back(
          {sample, row, static_cast<Row>(known + these.of_pattern.at(pattern) + k), 1 / static_cast<double>(missed)});
  }
  return out;
}

/// Kernels of points to the training samples, and of each with itself: the gram matrix is linear in what is added.
struct PointKernels {
  Matrix cross;
  Eigen::VectorXd own;

  PointKernels(const KernelParts& parts, const BentComponent& c, std::span<const Point> points, Row known)
      : cross(static_cast<Row>(points.size()), known), own(cross.rows()) {
    const Matrix& gram = parts.straight;
    const Eigen::RowVectorXd square = gram.diagonal().head(known).transpose();
    for (Row i = 0; i < cross.rows(); ++i) {
      const Point& at = points[static_cast<std::size_t>(i)];
      Eigen::RowVectorXd straight = gram.row(at.row).head(known);
      double self = gram(at.row, at.row);
      if (at.missed >= 0) {
        straight += gram.row(at.missed).head(known);
        self += 2 * gram(at.row, at.missed) + gram(at.missed, at.missed);
      }
      cross.row(i) = c.bent * (straight.array() - 0.5 * (square.array() + self)).min(0.0).exp().matrix() +
                     c.straight * straight + c.level * parts.level.row(at.row).head(known);
      own[i] = c.bent + c.straight * self + c.level * parts.level(at.row, at.row);
    }
  }
};

void add_component(const TrainingRows& training, const CellMixture& mixture, const BentComponent& c,
                   const NewSamples& fresh, ThreadPool& pool, std::vector<double>& out) {
  const auto known = static_cast<Row>(training.values.rows);
  const AnyActivation activation = make_activation(mixture.activation, c.noise, c.width, 1);
  std::optional<KernelPredictive> predictive;
  for (const Batch& these : batches_of(fresh)) {
    const KernelParts parts = StackedRows(training, mixture, fresh, these).parts(c, fresh.inputs.columns, pool);
    if (!predictive)
      predictive.emplace(parts.at({c.bent, c.straight, c.level}).topLeftCorner(known, known),
                         KernelSites{c.sample_precision, c.sample_linear}, pool);
    const std::vector<Point> points = points_of(fresh, these, training.values.rows);
    for (std::size_t begin = 0; begin < points.size(); begin += most_points) {
      const auto some = std::span(points).subspan(begin, std::min(most_points, points.size() - begin));
      const PointKernels kernels(parts, c, some, known);
      const NewFields fields = (*predictive)(kernels.cross, kernels.own, pool);
      for (std::size_t i = 0; i < some.size(); ++i)
        out[some[i].sample] +=
            c.weight * some[i].weight * average_likelihood(activation, fields.mean[i], fields.variance[i]);
    }
  }
}

}  // namespace

std::vector<double> bent_probability(const TrainingRows& training, const CellMixture& mixture, const NewSamples& fresh,
                                     ThreadPool& pool) {
  if (mixture.bent.share == 0) return {};
  std::vector<double> out(fresh.inputs.samples(), 0);
  for (const BentComponent& c : mixture.bent.components) add_component(training, mixture, c, fresh, pool, out);
  return out;
}

}  // namespace cavity
