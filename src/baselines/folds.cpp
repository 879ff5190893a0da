#include "baselines/folds.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "design/dense_design.hpp"

namespace cavity {

namespace {

std::vector<int> draw_folds(const std::vector<std::int8_t>& labels, int folds, std::uint64_t seed) {
  Random random(seed, 0xf01d);
  std::vector<int> fold(labels.size());
  int next = 0;
  for (const std::int8_t wanted : {std::int8_t{-1}, std::int8_t{1}}) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == wanted) members.push_back(i);
    for (std::size_t i = members.size(); i > 1; --i) std::swap(members[i - 1], members[random.below(i)]);
    for (const std::size_t i : members) fold[i] = next++ % folds;
  }
  return fold;
}

// A copy of some rows, with a design over it.
struct Subset {
  FeatureMatrix values;
  std::vector<double> row_scale;
  std::vector<std::int8_t> labels;
  Covariates covariates;
  DenseDesign design;

  Subset(const Inputs& inputs, const std::vector<std::int8_t>& all_labels, const Covariates& all,
         const std::vector<std::size_t>& rows)
      : values(rows.size(), inputs.inputs()), design(gather(inputs, rows)) {
    covariates.precision = all.precision;
    covariates.values.resize(static_cast<Eigen::Index>(rows.size()), all.values.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      labels.push_back(all_labels[rows[i]]);
      covariates.values.row(static_cast<Eigen::Index>(i)) = all.values.row(static_cast<Eigen::Index>(rows[i]));
    }
  }
  Subset(const Subset&) = delete;
  Subset& operator=(const Subset&) = delete;
  operator Rows() const { return {design, labels, covariates}; }

 private:
  DenseDesign gather(const Inputs& inputs, const std::vector<std::size_t>& rows) {
    const FeatureMatrix& all = inputs.features.dense();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::copy_n(all.row(rows[i]), all.cols, values.row(i));
      row_scale.push_back(inputs.row_scale[rows[i]]);
    }
    return DenseDesign(view(values), inputs.columns.centre, inputs.columns.scale, row_scale);
  }
};

}  // namespace

std::vector<double> cross_validate(const Inputs& inputs, const std::vector<std::int8_t>& labels,
                                   const Covariates& covariates, int folds, std::uint64_t seed, const FoldFit& fit) {
  folds = std::min(folds, static_cast<int>(labels.size()));
  const std::vector<int> fold = draw_folds(labels, folds, seed);
  std::vector<double> scores(labels.size(), 0);
  for (int f = 0; f < folds; ++f) {
    std::vector<std::size_t> in, out;
    for (std::size_t i = 0; i < labels.size(); ++i) (fold[i] == f ? out : in).push_back(i);
    const Subset training(inputs, labels, covariates, in), left_out(inputs, labels, covariates, out);
    const auto positive = std::count(training.labels.begin(), training.labels.end(), std::int8_t{1});
    if (out.empty() || positive == 0 || positive == static_cast<std::ptrdiff_t>(in.size())) continue;
    const std::vector<double> part = fit(training, left_out);
    for (std::size_t i = 0; i < out.size(); ++i) scores[out[i]] = part[i];
  }
  return scores;
}

}  // namespace cavity
