// With q_ik(b) the probability of class k at b times its field, s_k the factor that the class had,
//   P_ik = q_ik(b) s_k e^{a_k} / sum,   a_k ~ N(0, t^2),   ln b ~ N(0, t^2/4),
// and t itself unknown: 0 (nothing has changed) with probability 1/2, else 1/4, 1/2, 1 or 2. The modes of every t are
// averaged by their evidence (Laplace), so that few samples, or samples as stated, leave the model as it is.
// Of two classes the field is the probit of the recalibrated probability, of more the log of the joined one.
#include "cavity/adapt.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "assess/class_weights.hpp"
#include "base/matrix.hpp"
#include "cavity/errors.hpp"
#include "fit/promise.hpp"
#include "model/normal.hpp"
#include "model/score.hpp"

namespace cavity {

namespace {

using Vector = Eigen::VectorXd;

constexpr double spreads[] = {0.25, 0.5, 1, 2};  // t
constexpr double least = 1e-12;

/// What the model states of labelled samples, so that it can be stated at another slope.
struct Stated {
  Matrix field;  // samples x classes; of two classes the probit of the second in column 1
  std::vector<std::uint32_t> classes;
  std::vector<double> shift;  // s
  double floor = 0;           // of the recalibration, or of the joining
};

double clamped(double p) { return std::clamp(p, least, 1 - least); }

Stated stated_by(const Model& model, const Prediction& made, const std::vector<std::uint32_t>& classes) {
  const Calibration& c = model.calibration;
  const std::size_t count = made.classes;
  Stated out;
  out.shift = c.class_shift.empty() ? std::vector<double>(count, 1) : c.class_shift;
  out.floor = count > 2 ? c.joining.floor : c.recalibration ? c.recalibration->floor : 0;
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes[i] < count) known.push_back(i);
  out.field = Matrix::Zero(static_cast<Eigen::Index>(known.size()), static_cast<Eigen::Index>(count));
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    out.classes.push_back(classes[known[i]]);
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += made.at(known[i], k) / out.shift[k];
    for (std::size_t k = 0; k < count; ++k) {
      const double q = made.at(known[i], k) / out.shift[k] / sum;
      const auto column = static_cast<Eigen::Index>(k);
      if (count > 2)
        out.field(row, column) =
            std::log(clamped((q - out.floor / static_cast<double>(count)) / std::max(1 - out.floor, least)));
      else if (k == 1)
        out.field(row, 1) = normal_quantile(clamped((q - out.floor) / std::max(1 - 2 * out.floor, least)));
    }
  }
  return out;
}

/// ln q_ik(b) of one sample.
Vector log_probability(const Stated& s, Eigen::Index i, double slope) {
  const Eigen::Index classes = s.field.cols();
  Vector out(classes);
  if (classes == 2) {
    const double z = slope * s.field(i, 1);
    out << std::log(s.floor + (1 - 2 * s.floor) * normal_cdf(-z)),
        std::log(s.floor + (1 - 2 * s.floor) * normal_cdf(z));
    return out.cwiseMax(std::log(least));
  }
  const Vector f = slope * s.field.row(i).transpose();
  const Vector odds = (f.array() - f.maxCoeff()).exp();
  out = s.floor / static_cast<double>(classes) + (1 - s.floor) * (odds / odds.sum()).array();
  return out.array().max(least).log();
}

struct Site {
  Vector at;         // a, then ln b
  double value = 0;  // minus the log posterior
  Vector gradient;
  Eigen::MatrixXd curvature;
};

class SiteFit {
 public:
  SiteFit(const Stated& stated, bool slope, Eigen::Index left_out) : s_(stated), slope_(slope), left_out_(left_out) {}

  /// Averaged over t by evidence; `unchanged`: what t = 0 has of it.
  Vector mean(double& unchanged) const {
    const Eigen::Index size = s_.field.cols() + (slope_ ? 1 : 0);
    std::vector<double> evidence = {-look(Vector::Zero(size), 1).value + std::log(0.5)};
    std::vector<Vector> modes = {Vector::Zero(size)};
    for (const double t : spreads) {
      const Site mode = climb(Vector::Zero(size), t);
      double log_evidence = -mode.value + std::log(0.5 / static_cast<double>(std::size(spreads)));
      const Vector root = Eigen::LLT<Eigen::MatrixXd>(mode.curvature).matrixLLT().diagonal();
      for (Eigen::Index j = 0; j < size; ++j) log_evidence -= std::log(root[j]) + std::log(deviation(j, t));
      evidence.push_back(log_evidence);
      modes.push_back(mode.at);
    }
    const double largest = *std::ranges::max_element(evidence);
    double sum = 0;
    for (double& e : evidence) sum += e = std::exp(e - largest);
    unchanged = evidence.front() / sum;
    Vector out = Vector::Zero(size);
    for (std::size_t j = 0; j < modes.size(); ++j) out += evidence[j] / sum * modes[j];
    return out;
  }

  /// P of every class of a sample.
  Vector probability(Eigen::Index i, const Vector& at) const {
    const Eigen::Index classes = s_.field.cols();
    Vector f = log_probability(s_, i, slope_ ? std::exp(at[classes]) : 1) + at.head(classes);
    for (Eigen::Index k = 0; k < classes; ++k) f[k] += std::log(s_.shift[static_cast<std::size_t>(k)]);
    const Vector odds = (f.array() - f.maxCoeff()).exp();
    return odds / odds.sum();
  }

 private:
  double deviation(Eigen::Index j, double t) const { return j < s_.field.cols() ? t : t / 2; }

  Site look(const Vector& at, double t) const {
    constexpr double step = 1e-5;
    const Eigen::Index classes = s_.field.cols(), size = at.size();
    Site out{at, 0, Vector::Zero(size), Eigen::MatrixXd::Zero(size, size)};
    for (Eigen::Index j = 0; j < size; ++j) {
      const double d = deviation(j, t);
      out.value += at[j] * at[j] / (2 * d * d);
      out.gradient[j] = at[j] / (d * d);
      out.curvature(j, j) = 1 / (d * d);
    }
    for (Eigen::Index i = 0; i < s_.field.rows(); ++i) {
      if (i == left_out_) continue;
      const Vector p = probability(i, at);
      const auto own = static_cast<Eigen::Index>(s_.classes[static_cast<std::size_t>(i)]);
      out.value += log_loss(p[own]);
      Eigen::MatrixXd j = Eigen::MatrixXd::Identity(classes, size);
      if (slope_) {
        const double b = std::exp(at[classes]);
        j.col(classes) = (log_probability(s_, i, b * (1 + step)) - log_probability(s_, i, b * (1 - step))) / (2 * step);
      }
      Vector off = p;
      off[own] -= 1;
      out.gradient += j.transpose() * off;
      const Eigen::MatrixXd spread = Eigen::MatrixXd(p.asDiagonal()) - p * p.transpose();
      out.curvature += j.transpose() * spread * j;
    }
    return out;
  }

  Site climb(const Vector& start, double t) const {
    Site here = look(start, t);
    for (int step = 0; step < 50; ++step) {
      Vector move = -here.curvature.ldlt().solve(here.gradient);
      Site next = look(here.at + move, t);
      for (int half = 0; half < 30 && !(next.value <= here.value); ++half) {
        move *= 0.5;
        next = look(here.at + move, t);
      }
      if (!(next.value <= here.value)) break;
      here = std::move(next);
      if (move.cwiseAbs().maxCoeff() < 1e-8) break;
    }
    return here;
  }

  const Stated& s_;
  bool slope_;
  Eigen::Index left_out_;  // a sample; below 0: none
};

void take_slope(double b, Calibration& c, std::size_t classes) {
  if (b == 1) return;
  if (classes == 2) {
    if (!c.recalibration) c.recalibration.emplace();
    c.recalibration->slope *= b;
    return;
  }
  c.joining.temperature *= b;
  for (double& x : c.joining.offset) x *= b;
  for (double& x : c.joining.coupling) x *= b;
}

/// What the model file says of it: one more entry of "adapted" in the summary of the fit.
void remember(const Adaptation& how, Model& model) {
  nlohmann::ordered_json summary = nlohmann::ordered_json::parse(model.summary_json, nullptr, false);
  if (!summary.is_object()) summary = nlohmann::ordered_json::object();
  if (!summary.contains("adapted") || !summary["adapted"].is_array())
    summary["adapted"] = nlohmann::ordered_json::array();
  summary["adapted"].push_back({{"samples", how.samples},
                                {"class_counts", how.class_counts},
                                {"class_prior", how.class_prior},
                                {"intercept", how.intercept},
                                {"slope", how.slope},
                                {"unchanged", how.unchanged}});
  model.summary_json = summary.dump();
}

}  // namespace

Adapted adapt(const Model& model, Dataset data, const AdaptOptions& options) {
  const std::size_t classes = model.class_names.size();
  if (options.slope && model.calibration.together.share > 0)
    throw UsageError("a slope cannot be adapted where all classes were also fitted at once: leave out `slope`");
  const std::vector<std::uint32_t> labels = data.classes;
  const Stated stated = stated_by(model, predict(model, std::move(data), options.predict), labels);
  if (stated.classes.empty())
    throw InputError("no sample has a label of the model: there is nothing to adapt it to; `class_prior` takes shares");
  const SiteFit fit(stated, options.slope, -1);
  Adapted out{model, {}};
  Adaptation& how = out.how;
  how.samples = stated.classes.size();
  how.class_counts = class_counts(stated.classes, classes);
  const Vector at = fit.mean(how.unchanged);
  const Vector none = Vector::Zero(at.size());
  for (Eigen::Index i = 0; i < stated.field.rows(); ++i) {
    const auto own = static_cast<Eigen::Index>(stated.classes[static_cast<std::size_t>(i)]);
    double unused = 0;
    const SiteFit without(stated, options.slope, i);
    how.log_loss_before += log_loss(fit.probability(i, none)[own]) / static_cast<double>(how.samples);
    how.log_loss_left_out +=
        log_loss(without.probability(i, without.mean(unused))[own]) / static_cast<double>(how.samples);
  }
  how.slope = options.slope ? std::exp(at[static_cast<Eigen::Index>(classes)]) : 1;
  Calibration& c = out.model.calibration;
  take_slope(how.slope, c, classes);
  c.class_shift = stated.shift;
  for (std::size_t k = 0; k < classes; ++k) {
    how.intercept.push_back(at[static_cast<Eigen::Index>(k)] - (classes == 2 ? at[0] : 0));
    c.class_shift[k] *= std::exp(how.intercept[k]);
  }
  remember(how, out.model);
  return out;
}

Adapted adapt_to_class_prior(const Model& model, const std::vector<double>& class_prior) {
  const std::optional<Promise> promise = promise_of(model);
  if (!promise || promise->class_counts.empty())
    throw UsageError(
        "the model does not say how many training samples each class had: fit again to adapt it to shares");
  double sum = 0;
  for (const double share : class_prior) sum += share > 0 && share < 1 ? share : 2;
  if (class_prior.size() != model.class_names.size() || std::abs(sum - 1) > 1e-6)
    throw UsageError(fmt::format("`class_prior` takes a share for each of the {} classes, positive and with sum 1",
                                 model.class_names.size()));
  Adapted out{model, {}};
  const std::vector<double> before = model.calibration.class_shift.empty() ? std::vector<double>(class_prior.size(), 1)
                                                                           : model.calibration.class_shift;
  out.model.calibration.class_shift = class_shift(class_prior, promise->class_counts);
  out.how.class_prior = class_prior;
  out.how.unchanged = 0;
  for (std::size_t k = 0; k < before.size(); ++k)
    out.how.intercept.push_back(std::log(out.model.calibration.class_shift[k] / before[k]));
  remember(out.how, out.model);
  return out;
}

}  // namespace cavity
