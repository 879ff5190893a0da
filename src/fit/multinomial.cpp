#include "fit/multinomial.hpp"

#include <Eigen/LU>
#include <functional>
#include <vector>

#include "fit/minimise.hpp"
#include "fit/softmax.hpp"
#include "kernels/matrix_product.hpp"
#include "kernels/positive_definite.hpp"

namespace cavity {

namespace {

/// Of the weights in units in which no curvature exceeds one by much: w = v/unit.
class Likelihood {
 public:
  Likelihood(const MultinomialProblem& problem, const Eigen::VectorXd& precision)
      : problem_(problem),
        precision_(precision),
        unit_((0.25 * problem.inputs.colwise().squaredNorm().transpose() + precision).cwiseSqrt()) {}

  Eigen::VectorXd units_of(const Matrix& weight) const {
    const Matrix scaled = unit_.asDiagonal() * weight;
    return Eigen::Map<const Eigen::VectorXd>(scaled.data(), scaled.size());
  }

  Matrix weight_of(const Eigen::VectorXd& v) const {
    return unit_.cwiseInverse().asDiagonal() * Eigen::Map<const Matrix>(v.data(), precision_.size(), problem_.count);
  }

  double operator()(const Eigen::VectorXd& v, Eigen::VectorXd& gradient) const {
    const Matrix weight = weight_of(v);
    Matrix rest = log_softmax(problem_.inputs * weight);
    double value = 0.5 * (precision_.asDiagonal() * weight.cwiseAbs2()).sum();
    for (Eigen::Index mu = 0; mu < rest.rows(); ++mu) value -= rest(mu, own(mu));
    rest = rest.array().exp();
    for (Eigen::Index mu = 0; mu < rest.rows(); ++mu) rest(mu, own(mu)) -= 1;
    Eigen::Map<Matrix>(gradient.data(), weight.rows(), weight.cols()) =
        unit_.cwiseInverse().asDiagonal() * (problem_.inputs.transpose() * rest + precision_.asDiagonal() * weight);
    return value;
  }

 private:
  Eigen::Index own(Eigen::Index mu) const { return problem_.classes[static_cast<std::size_t>(mu)]; }

  const MultinomialProblem& problem_;
  const Eigen::VectorXd& precision_;
  Eigen::VectorXd unit_;
};

/// H, its lower triangle; a class's inputs stand together. Probabilities sum to one, so that a class's own block is the
/// precision less its blocks with the others.
Matrix curvature(const MultinomialProblem& problem, const Eigen::VectorXd& precision, const Matrix& probability,
                 ThreadPool& pool) {
  const Eigen::Index d = precision.size();
  const MatrixView turned = MatrixView(problem.inputs).transposed();
  Matrix out = Matrix::Zero(d * problem.count, d * problem.count), block;
  for (Eigen::Index k = 0; k < problem.count; ++k) {
    out.block(k * d, k * d, d, d).diagonal() += precision;
    for (Eigen::Index j = 0; j < k; ++j) {
      const Matrix scaled = probability.col(k).cwiseProduct(probability.col(j)).asDiagonal() * problem.inputs;
      block.setZero(d, d);
      add_lower_product(1, turned, scaled, block, pool);
      block.triangularView<Eigen::StrictlyUpper>() = block.transpose();
      out.block(k * d, j * d, d, d) = -block;
      for (const Eigen::Index own : {j, k}) out.block(own * d, own * d, d, d) += block;
    }
  }
  return out;
}

struct LeftOut {
  std::vector<std::size_t> samples;
  Matrix covariance{};  // S: samples x classes, squared; a sample's classes stand together
};

std::vector<LeftOut> sets_left_out(const MultinomialProblem& problem) {
  std::vector<LeftOut> out;
  if (problem.groups)
    for (const auto& members : problem.groups->members) out.push_back({members});
  else
    for (std::size_t mu = 0; mu < problem.classes.size(); ++mu) out.push_back({{mu}});
  for (LeftOut& set : out) {
    const Eigen::Index size = problem.count * static_cast<Eigen::Index>(set.samples.size());
    set.covariance.resize(size, size);
  }
  return out;
}

void fill_covariances(const MultinomialProblem& problem, const Matrix& inverse, std::vector<LeftOut>& sets,
                      ThreadPool& pool) {
  const Eigen::Index d = problem.inputs.cols(), classes = problem.count, all = inverse.cols();
  Matrix product;  // samples x inputs of this class and those after it: B times the class's rows of H^-1
  for (Eigen::Index j = 0; j < classes; ++j) {
    const Eigen::Index first = j * d, rest = all - first;
    product.setZero(problem.inputs.rows(), rest);
    add_product(1, problem.inputs, {inverse.data() + first * all + first, d, rest, all, 1}, product, pool);
    pool.run(sets.size(), [&](std::size_t s) {
      LeftOut& set = sets[s];
      const auto row = [&](std::size_t i) { return static_cast<Eigen::Index>(set.samples[i]); };
      for (std::size_t a = 0; a < set.samples.size(); ++a)
        for (std::size_t b = 0; b < set.samples.size(); ++b)
          for (Eigen::Index k = j; k < classes; ++k) {
            const Eigen::Index at_a = static_cast<Eigen::Index>(a) * classes + j,
                               at_b = static_cast<Eigen::Index>(b) * classes + k;
            set.covariance(at_a, at_b) = set.covariance(at_b, at_a) =
                product.row(row(a)).segment((k - j) * d, d).dot(problem.inputs.row(row(b)));
          }
    });
  }
}

/// S (1 - W S)^-1 (p - y)
Eigen::VectorXd shift_without(const LeftOut& set, const MultinomialProblem& problem, const Matrix& probability) {
  const Eigen::Index classes = problem.count, size = set.covariance.rows();
  Eigen::VectorXd rest(size);
  Matrix left = Matrix::Identity(size, size);
  for (std::size_t i = 0; i < set.samples.size(); ++i) {
    const std::size_t mu = set.samples[i];
    const Eigen::Index at = static_cast<Eigen::Index>(i) * classes;
    const Eigen::VectorXd p = probability.row(static_cast<Eigen::Index>(mu));
    rest.segment(at, classes) = p;
    rest[at + problem.classes[mu]] -= 1;
    const Matrix w = Matrix(p.asDiagonal()) - p * p.transpose();
    left.middleRows(at, classes) -= w * set.covariance.middleRows(at, classes);
  }
  return set.covariance * left.partialPivLu().solve(rest);
}

}  // namespace

Matrix fit_multinomial(const MultinomialProblem& problem, const Eigen::VectorXd& precision, const Matrix& start) {
  const Likelihood likelihood(problem, precision);
  return likelihood.weight_of(minimise(std::cref(likelihood), likelihood.units_of(start)));
}

std::optional<Matrix> left_out_fields(const MultinomialProblem& problem, const Eigen::VectorXd& precision,
                                      const Matrix& weight, ThreadPool& pool) {
  Matrix out = problem.inputs * weight;
  const Matrix probability = log_softmax(out).array().exp();
  Matrix inverse = curvature(problem, precision, probability, pool);
  if (!invert_positive_definite(inverse, pool)) return std::nullopt;
  std::vector<LeftOut> sets = sets_left_out(problem);
  fill_covariances(problem, inverse, sets, pool);
  pool.run(sets.size(), [&](std::size_t s) {
    const Eigen::VectorXd shift = shift_without(sets[s], problem, probability);
    for (std::size_t i = 0; i < sets[s].samples.size(); ++i)
      out.row(static_cast<Eigen::Index>(sets[s].samples[i])) +=
          shift.segment(static_cast<Eigen::Index>(i) * problem.count, problem.count).transpose();
  });
  if (!out.allFinite()) return std::nullopt;
  return out;
}

}  // namespace cavity
