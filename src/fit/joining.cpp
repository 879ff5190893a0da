#include "fit/joining.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/budget.hpp"
#include "fit/class_folds.hpp"
#include "fit/minimise.hpp"
#include "fit/softmax.hpp"
#include "search/policies.hpp"

namespace cavity {

namespace {

constexpr double least = 1e-12;  // probabilities nearer to 0 and 1 say nothing more
constexpr double ridge = 0.1;    // of ln t and of offsets

enum class Parts { temperature, offsets, couplings };
struct Candidate {
  Parts parts;
  double ridge;  // of couplings
};
constexpr std::array<Candidate, 5> candidates = {{{Parts::temperature, 0},
                                                  {Parts::offsets, 0},
                                                  {Parts::couplings, 50},
                                                  {Parts::couplings, 5},
                                                  {Parts::couplings, 1}}};

Matrix scores(const Joining& joining, const Matrix& field) {
  Matrix out = joining.temperature * field;
  for (Eigen::Index k = 0; k < out.cols(); ++k) out.col(k).array() += joining.offset[static_cast<std::size_t>(k)];
  if (!joining.coupling.empty())
    out += field * Eigen::Map<const Matrix>(joining.coupling.data(), field.cols(), field.cols());
  return out;
}

/// Penalised by its ridges, of the parameters (ln t, b, A).
class Likelihood {
 public:
  Likelihood(const Matrix& field, std::span<const std::uint32_t> classes, const Candidate& candidate)
      : field_(field), classes_(classes), candidate_(candidate) {}

  Eigen::Index parameters() const {
    const Eigen::Index k = field_.cols();
    return 1 + (candidate_.parts == Parts::temperature ? 0 : k) + (coupled() ? k * k : 0);
  }

  Joining joining(const Eigen::VectorXd& w) const {
    const Eigen::Index k = field_.cols();
    Joining out{0, std::exp(w[0]), std::vector<double>(static_cast<std::size_t>(k), 0), {}};
    if (candidate_.parts != Parts::temperature) std::copy_n(w.data() + 1, k, out.offset.begin());
    if (coupled()) out.coupling.assign(w.data() + 1 + k, w.data() + w.size());
    return out;
  }

  double operator()(const Eigen::VectorXd& w, Eigen::VectorXd& gradient) const {
    const Eigen::Index k = field_.cols();
    const Joining at = joining(w);
    Matrix rest = scores(at, field_);
    double value = 0.5 * ridge * w[0] * w[0];
    rest.colwise() -= Eigen::VectorXd(rest.rowwise().maxCoeff());
    for (Eigen::Index mu = 0; mu < rest.rows(); ++mu) value -= rest(mu, classes_[static_cast<std::size_t>(mu)]);
    rest = rest.array().exp();
    const Eigen::VectorXd sums = rest.rowwise().sum();
    value += sums.array().log().sum();
    rest.array().colwise() /= sums.array();
    for (Eigen::Index mu = 0; mu < rest.rows(); ++mu) rest(mu, classes_[static_cast<std::size_t>(mu)]) -= 1;
    gradient[0] = at.temperature * rest.cwiseProduct(field_).sum() + ridge * w[0];
    if (candidate_.parts == Parts::temperature) return value;
    const auto offset = w.segment(1, k);
    gradient.segment(1, k) = rest.colwise().sum().transpose() + ridge * offset;
    value += 0.5 * ridge * offset.squaredNorm();
    if (!coupled()) return value;
    const auto coupling = w.tail(k * k);
    Eigen::Map<Matrix>(gradient.data() + 1 + k, k, k) = field_.transpose() * rest;
    gradient.tail(k * k) += candidate_.ridge * coupling;
    return value + 0.5 * candidate_.ridge * coupling.squaredNorm();
  }

  /// Of what is linear in (t, b, A), which is all but a little.
  Eigen::MatrixXd inverse_curvature(const Eigen::VectorXd& w) const {
    const Eigen::Index k = field_.cols(), inputs = (parameters() - 1) / k;  // (1, f), as far as they have weights
    const Joining at = joining(w);
    const Matrix p = log_softmax(scores(at, field_)).array().exp(), f = at.temperature * field_;
    const Eigen::VectorXd mean = p.cwiseProduct(f).rowwise().sum();
    const Matrix moved = p.cwiseProduct(f.colwise() - mean);  // of p, by ln t
    Matrix z(field_.rows(), inputs);
    z.leftCols(std::min<Eigen::Index>(inputs, 1)).setOnes();
    if (coupled()) z.rightCols(k) = field_;
    Eigen::MatrixXd out = ridges().asDiagonal();
    out(0, 0) += f.cwiseProduct(moved).sum();
    const auto of_class = [&](Eigen::Index a) { return Eigen::seqN(1 + a, inputs, k); };
    for (Eigen::Index a = 0; a < k && inputs > 0; ++a) {
      out(of_class(a), 0) += z.transpose() * moved.col(a);
      for (Eigen::Index b = 0; b < k; ++b) {
        const Eigen::VectorXd w_ab = p.col(a).array() * ((a == b ? 1 : 0) - p.col(b).array());
        out(of_class(a), of_class(b)) += z.transpose() * w_ab.asDiagonal() * z;
      }
    }
    return out.selfadjointView<Eigen::Lower>().llt().solve(Eigen::MatrixXd::Identity(w.size(), w.size()));
  }

 private:
  Eigen::VectorXd ridges() const {
    Eigen::VectorXd out = Eigen::VectorXd::Constant(parameters(), candidate_.ridge);
    out.segment(1, candidate_.parts == Parts::temperature ? 0 : field_.cols()).setConstant(ridge);
    out[0] = ridge;
    return out;
  }

  bool coupled() const { return candidate_.parts == Parts::couplings; }

  const Matrix& field_;
  std::span<const std::uint32_t> classes_;
  Candidate candidate_;
};

/// All samples' best, where fits to most of them start.
struct Optimum {
  Candidate candidate;
  Eigen::VectorXd parameters{};
  Eigen::MatrixXd inverse_curvature{};
};

/// From that of a candidate with no more parameters.
Optimum find_optimum(const Matrix& field, std::span<const std::uint32_t> classes, const Candidate& candidate,
                     const Eigen::VectorXd& from) {
  const Likelihood likelihood(field, classes, candidate);
  Eigen::VectorXd start = Eigen::VectorXd::Zero(likelihood.parameters());
  start.head(from.size()) = from;
  const Eigen::MatrixXd near = likelihood.inverse_curvature(start);
  Optimum out{candidate, minimise(std::cref(likelihood), start, {&near})};
  out.inverse_curvature = likelihood.inverse_curvature(out.parameters);
  return out;
}

Joining joining_at(const Likelihood& likelihood, const Eigen::VectorXd& parameters, std::size_t samples) {
  Joining out = likelihood.joining(parameters);
  out.floor = floor_of(samples);
  return out;
}

/// The samples of a fold by a joining of all others.
void left_out(const Matrix& field, std::span<const std::uint32_t> classes, const Optimum& all,
              std::span<const std::size_t> fold_of, std::size_t fold, Matrix& out) {
  constexpr double small_gain = 1e-7;
  std::vector<Eigen::Index> others, own;
  std::vector<std::uint32_t> known;
  for (std::size_t mu = 0; mu < classes.size(); ++mu) {
    (fold_of[mu] == fold ? own : others).push_back(static_cast<Eigen::Index>(mu));
    if (fold_of[mu] != fold) known.push_back(classes[mu]);
  }
  const Matrix training = field(others, Eigen::all), test = field(own, Eigen::all);
  const Likelihood likelihood(training, known, all.candidate);
  const Eigen::VectorXd best = minimise(std::cref(likelihood), all.parameters, {&all.inverse_curvature, small_gain});
  out(own, Eigen::all) = joined(joining_at(likelihood, best, known.size()), test);
}

/// Couplings: the curvature of classes^2 parameters.
bool affordable(Eigen::Index classes) { return std::pow(static_cast<double>(classes), 6) <= a_few_seconds; }

/// Of `second` in log loss.
struct Gain {
  double mean, error;
  bool clear() const { return mean > 0.5 * error; }
};
/// Classes of one or two samples cannot tell: left out, the joining hardly knows them.
Gain gain(const Matrix& first, const Matrix& second, std::span<const std::uint32_t> classes) {
  const std::vector<bool> common = common_classes(classes);
  double sum = 0, squares = 0, m = 0;
  for (std::size_t mu = 0; mu < classes.size(); ++mu) {
    if (!common[mu]) continue;
    ++m;
    const auto row = static_cast<Eigen::Index>(mu);
    const double own = std::log(std::max(second(row, classes[mu]), least) / std::max(first(row, classes[mu]), least));
    sum += own;
    squares += own * own;
  }
  if (m == 0) return {0, 0};
  const double mean = sum / m;
  return {mean, std::sqrt(std::max(squares / m - mean * mean, 0.0) / m)};
}

}  // namespace

double joining_field(double probability) {
  const double p = std::clamp(probability, least, 1 - least);
  return std::log(p / (1 - p));
}

double joining_field(double log_own_probability, bool of_class) {
  const double own = joining_field(std::exp(log_own_probability));
  return of_class ? own : -own;
}

Matrix joined(const Joining& joining, const Matrix& field) {
  return floored_softmax(scores(joining, field), joining.floor);
}

Joined fit_joining(const Matrix& field, std::span<const std::uint32_t> classes, ThreadPool& pool,
                   const SampleGroups* groups) {
  const std::size_t count = policies().coupled_joining && affordable(field.cols()) ? candidates.size() : 2,
                    cut = folds_of_classes(classes, groups);
  const std::vector<std::size_t> fold_of = deal_classes(classes, groups);
  std::vector<Optimum> optima;
  for (std::size_t i = 0; i < count; ++i)
    optima.push_back(find_optimum(field, classes, candidates[i], i > 0 ? optima.back().parameters : Eigen::VectorXd()));
  std::vector<Matrix> probability(count, Matrix(field.rows(), field.cols()));
  pool.run(count * cut,
           [&](std::size_t i) { left_out(field, classes, optima[i / cut], fold_of, i % cut, probability[i / cut]); });
  std::size_t best = gain(probability[0], probability[1], classes).clear() ? 1 : 0, coupled = 2;
  for (std::size_t i = coupled + 1; i < count; ++i)
    if (gain(probability[coupled], probability[i], classes).mean > 0) coupled = i;
  if (coupled < count && gain(probability[best], probability[coupled], classes).clear()) best = coupled;
  const Likelihood likelihood(field, classes, candidates[best]);
  return {joining_at(likelihood, optima[best].parameters, classes.size()), std::move(probability[best])};
}

}  // namespace cavity
