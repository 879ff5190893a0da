#include "fit/together.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "assess/covariates_alone.hpp"
#include "base/budget.hpp"
#include "fit/class_folds.hpp"
#include "fit/multinomial.hpp"
#include "fit/softmax.hpp"
#include "infer/predictive.hpp"
#include "model/negligible.hpp"
#include "model/score.hpp"

namespace cavity {

namespace {

constexpr double first_precision = 0.01, least_precision = 1e-4, largest_precision = 10, ratio = 1.7782794100389228;

/// Orthogonal coordinates of the rows x/sqrt(N), and the way back to features.
class Coordinates {
 public:
  Coordinates(const Design& design, ThreadPool& pool) : design_(design), pool_(pool), tall_(is_tall(design)) {
    Matrix gram, x;
    if (tall_) {
      x = all_columns();
      gram = x.transpose() * x;
    } else {
      const std::vector<double> even(design.features(), 1 / static_cast<double>(design.total_features()));
      design.gram(even, gram, pool);
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
    const double negligible = 1e-10 * solver.eigenvalues().maxCoeff();
    const Eigen::Index rank = (solver.eigenvalues().array() > negligible).count();
    back_ = solver.eigenvectors().rightCols(rank);
    const Eigen::VectorXd length = solver.eigenvalues().tail(rank).cwiseSqrt();
    values = tall_ ? Matrix(x * back_) : Matrix(back_ * length.asDiagonal());
    if (!tall_) back_ = back_ * length.cwiseInverse().asDiagonal();
  }

  /// A weight a feature of all processes.
  std::vector<double> features(const Eigen::VectorXd& weight) const {
    const Eigen::VectorXd turned = back_ * weight;
    if (tall_) return {turned.begin(), turned.end()};
    std::vector<double> mine(design_.features());
    design_.transpose_times({turned.data(), static_cast<std::size_t>(turned.size())}, mine, pool_);
    for (double& w : mine) w /= std::sqrt(static_cast<double>(design_.total_features()));
    return design_.shards().join(mine);
  }

  Matrix values;  // samples x rank

  static bool is_tall(const Design& design) { return design.total_features() <= design.samples(); }

 private:
  Matrix all_columns() const {
    std::vector<std::size_t> which(design_.features());
    std::iota(which.begin(), which.end(), 0);
    Matrix mine, out = Matrix::Zero(static_cast<Eigen::Index>(design_.samples()),
                                    static_cast<Eigen::Index>(design_.total_features()));
    design_.columns(which, mine);
    const Shards& shards = design_.shards();
    if (mine.cols() > 0)
      out.middleCols(static_cast<Eigen::Index>(shards.place(which.size()).first), mine.cols()) = mine;
    shards.sum({out.data(), static_cast<std::size_t>(out.size())});
    return out / std::sqrt(static_cast<double>(design_.total_features()));
  }

  const Design& design_;
  ThreadPool& pool_;
  bool tall_;
  Matrix back_;
};

struct Candidate {
  double precision = 0, log_loss = 0;
  Matrix weight, probability{};
};

/// Down from the first precision or up, in steps of a quarter of a decade, while the leave-one-out log loss falls.
class Search {
 public:
  Search(const MultinomialProblem& problem, Eigen::Index features, ThreadPool& pool)
      : problem_(problem), features_(features), pool_(pool), common_(common_classes(problem.classes)) {}

  std::optional<Candidate> best() {
    std::optional<Candidate> out = at(first_precision, Matrix::Zero(problem_.inputs.cols(), problem_.count));
    if (!out) return out;
    const double step = improve(*out, ratio) ? ratio : 1 / ratio;
    while (improve(*out, step)) {
    }
    return out;
  }

 private:
  bool improve(Candidate& best, double step) {
    const double precision = best.precision * step;
    if (precision > largest_precision * 1.01 || precision < least_precision * 0.99) return false;
    std::optional<Candidate> next = at(precision, best.weight);
    if (!next || next->log_loss >= best.log_loss) return false;
    best = *std::move(next);
    return true;
  }

  std::optional<Candidate> at(double precision, const Matrix& start) {
    Eigen::VectorXd prior = Eigen::VectorXd::Constant(problem_.inputs.cols(), next_to_free);
    prior.head(features_).setConstant(precision);
    Candidate out{precision, 0, fit_multinomial(problem_, prior, start)};
    const std::optional<Matrix> field = left_out_fields(problem_, prior, out.weight, pool_);
    if (!field) return std::nullopt;
    out.probability = floored_softmax(*field, floor_of(problem_.classes.size()));
    for (std::size_t mu = 0; mu < common_.size(); ++mu)
      if (common_[mu]) out.log_loss += log_loss(out.probability(static_cast<Eigen::Index>(mu), problem_.classes[mu]));
    return out;
  }

  const MultinomialProblem& problem_;
  Eigen::Index features_;
  ThreadPool& pool_;
  std::vector<bool> common_;
};

/// An inversion: beyond, all of them cost more than the questions do.
bool affordable(const ClassProblem& problem) {
  if (problem.design.total_features() == 0) return false;
  const auto samples = static_cast<double>(problem.classes.size()),
             features = static_cast<double>(problem.design.total_features());
  const double d = static_cast<double>(problem.count) * std::min(samples, features);
  return d * d * (d + samples) <= a_few_seconds;
}

/// Of the first's own probabilities p and the second's q the weight s of q that maximises
/// sum ln((1 - s) p + s q) + ln(1 - s), a concave function.
double best_share(const std::vector<double>& p, const std::vector<double>& q) {
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double s = 0.5 * (low + high);
    double slope = -1 / (1 - s);
    for (std::size_t mu = 0; mu < p.size(); ++mu) slope += (q[mu] - p[mu]) / ((1 - s) * p[mu] + s * q[mu]);
    (slope > 0 ? low : high) = s;
  }
  return low;
}

}  // namespace

std::optional<TogetherFit> fit_together(const ClassProblem& problem, ThreadPool& pool) {
  if (!affordable(problem)) return std::nullopt;
  const Coordinates coordinates(problem.design, pool);
  const Matrix& covariates = problem.covariates.values;
  const Eigen::Index rank = coordinates.values.cols();
  Matrix inputs(coordinates.values.rows(), rank + covariates.cols());
  inputs << coordinates.values, covariates;
  const MultinomialProblem all{inputs, problem.classes, static_cast<Eigen::Index>(problem.count), problem.groups};
  std::optional<Candidate> best = Search(all, rank, pool).best();
  if (!best) return std::nullopt;
  TogetherFit out;
  out.model.precision = best->precision;
  out.probability = std::move(best->probability);
  for (Eigen::Index k = 0; k < all.count; ++k) {
    const std::vector<double> weight = coordinates.features(best->weight.col(k).head(rank));
    const Eigen::VectorXd rest = best->weight.col(k).tail(covariates.cols());
    out.model.weight.insert(out.model.weight.end(), weight.begin(), weight.end());
    out.model.covariate_weight.insert(out.model.covariate_weight.end(), rest.begin(), rest.end());
  }
  return out;
}

double mix_together(const Matrix& together, std::span<const std::uint32_t> classes, const SampleGroups* groups,
                    Matrix& joined) {
  const std::vector<std::size_t> fold_of = deal_classes(classes, groups);
  const std::vector<bool> common = common_classes(classes);
  const std::size_t folds = folds_of_classes(classes, groups);
  const auto share_without = [&](std::size_t fold) {
    std::vector<double> p, q;
    for (std::size_t mu = 0; mu < classes.size(); ++mu) {
      if (!common[mu] || fold_of[mu] == fold) continue;
      p.push_back(joined(static_cast<Eigen::Index>(mu), classes[mu]));
      q.push_back(together(static_cast<Eigen::Index>(mu), classes[mu]));
    }
    return best_share(p, q);
  };
  const double share = share_without(folds);
  if (share < negligible) return 0;
  std::vector<double> of_fold;
  for (std::size_t fold = 0; fold < folds; ++fold) of_fold.push_back(share_without(fold));
  for (Eigen::Index mu = 0; mu < joined.rows(); ++mu) {
    const double s = of_fold[fold_of[static_cast<std::size_t>(mu)]];
    joined.row(mu) = (1 - s) * joined.row(mu) + s * together.row(mu);
  }
  return share;
}

Matrix together_probability(const Together& model, std::size_t classes, double floor, const Design& design,
                            const Matrix& covariates, ThreadPool& pool) {
  const std::size_t inputs = model.weight.size() / classes, others = model.covariate_weight.size() / classes;
  Matrix field(static_cast<Eigen::Index>(design.samples()), static_cast<Eigen::Index>(classes));
  for (std::size_t k = 0; k < classes; ++k) {
    const auto of_class = field_means(design, std::span(model.weight).subspan(k * inputs, inputs), covariates,
                                      std::span(model.covariate_weight).subspan(k * others, others), pool);
    field.col(static_cast<Eigen::Index>(k)) =
        Eigen::Map<const Eigen::VectorXd>(of_class.data(), static_cast<Eigen::Index>(of_class.size()));
  }
  return floored_softmax(field, floor);
}

}  // namespace cavity
