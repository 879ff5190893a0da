#include "fit/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "assess/class_weights.hpp"
#include "fit/joining.hpp"
#include "fit/nothing_share.hpp"
#include "fit/recalibrate.hpp"
#include "fit/together.hpp"
#include "search/policies.hpp"

namespace cavity {

namespace {

/// Each row multiplied by the factors and brought back to sum 1; as it is where there are none.
void shift_classes(const std::vector<double>& shift, Matrix& probability) {
  if (shift.empty()) return;
  for (Eigen::Index k = 0; k < probability.cols(); ++k) probability.col(k) *= shift[static_cast<std::size_t>(k)];
  for (Eigen::Index mu = 0; mu < probability.rows(); ++mu) probability.row(mu) /= probability.row(mu).sum();
}

/// Of two classes, from the probability of each sample's own.
Matrix of_two(const std::vector<double>& own, const std::vector<std::uint32_t>& classes) {
  Matrix out(static_cast<Eigen::Index>(classes.size()), 2);
  for (std::size_t mu = 0; mu < classes.size(); ++mu) {
    const auto row = static_cast<Eigen::Index>(mu);
    out(row, classes[mu]) = own[mu];
    out(row, 1 - static_cast<Eigen::Index>(classes[mu])) = 1 - own[mu];
  }
  return out;
}

std::vector<double> exponentials(std::vector<double> values) {
  for (double& x : values) x = std::exp(x);
  return values;
}

Matrix fields_of(const std::vector<std::vector<double>>& log_own_side, const std::vector<std::uint32_t>& classes) {
  Matrix out(static_cast<Eigen::Index>(classes.size()), static_cast<Eigen::Index>(log_own_side.size()));
  for (std::size_t k = 0; k < log_own_side.size(); ++k)
    for (std::size_t mu = 0; mu < classes.size(); ++mu)
      out(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(k)) =
          joining_field(log_own_side[k][mu], classes[mu] == k);
  return out;
}

/// Beside the classes one against the rest.
Together share_together(const FitTable& table, Matrix& probability, ThreadPool& pool) {
  const Labelled& samples = table.samples;
  std::optional<TogetherFit> fit =
      fit_together({*table.design, table.covariates, samples.classes, samples.class_count(), table.together()}, pool);
  if (!fit) return {};
  fit->model.share = mix_together(fit->probability, samples.classes, table.together(), probability);
  return fit->model.share > 0 ? std::move(fit->model) : Together{};
}

/// What holds where no feature matters, and what it says of samples left out. It is weighed against straight
/// boundaries: a bent one that has a share is a hypothesis that it does not know. That none matters to any question is
/// no likelier than to the one that denies it most.
NothingSaid find_nothing(const FitTable& table, const std::vector<Answer>& answers, const FitOptions& options,
                         ThreadPool& pool) {
  const bool asked = policies().nothing && options.selection.recalibrate && options.selection.by == Selection::stack;
  if (!asked) return {};
  double none = 1;
  for (const Answer& a : answers)
    none = a.average.known() && a.bent.boundary.share == 0 ? std::min(none, a.average.summary.none) : 0;
  return nothing_said(none, table.samples.counts, {table.prepared->covariates, table.samples.classes, table.together()},
                      pool);
}

Calibrated calibrate_one(const FitTable& table, const std::vector<Answer>& answers, const FitOptions& options,
                         ThreadPool& pool) {
  const Mixed& mixed = answers.front().mixed;
  const std::vector<std::uint32_t>& classes = table.samples.classes;
  Calibrated out;
  std::optional<Recalibration>& how = out.model.recalibration;
  const std::vector<double>& left_out = mixed.loo_log_probability;
  if (options.selection.recalibrate && options.selection.by == Selection::stack)
    how = fit_recalibration(left_out, pool);
  out.left_out =
      of_two(exponentials(how ? cross_recalibrated_log_probability(left_out, *how, table.together(), pool) : left_out),
             classes);
  NothingSaid nothing = find_nothing(table, answers, options, pool);
  out.model.nothing = std::move(nothing.model);
  mix_nothing(out.model.nothing.share, nothing.left_out, out.left_out);
  if (mixed.flattered_log_probability.empty()) return out;
  std::vector<double> flattered = mixed.flattered_log_probability;
  if (how) recalibrate_log_probability(*how, flattered);
  out.flattered = of_two(exponentials(std::move(flattered)), classes);
  mix_nothing(out.model.nothing.share, nothing.left_out, *out.flattered);
  return out;
}

Calibrated join(const FitTable& table, const std::vector<Answer>& answers, const FitOptions& options,
                ThreadPool& pool) {
  std::vector<std::vector<double>> said;
  for (const Answer& a : answers) said.push_back(a.mixed.loo_log_probability);
  const std::vector<std::uint32_t>& classes = table.samples.classes;
  Joined joined = fit_joining(fields_of(said, classes), classes, pool, table.together());
  Calibrated out;
  out.model.joining = std::move(joined.joining);
  out.left_out = std::move(joined.probability);
  if (policies().together) out.model.together = share_together(table, out.left_out, pool);
  NothingSaid nothing = find_nothing(table, answers, options, pool);
  out.model.nothing = std::move(nothing.model);
  mix_nothing(out.model.nothing.share, nothing.left_out, out.left_out);
  return out;
}

}  // namespace

Calibrated calibrate(const FitTable& table, const std::vector<Answer>& answers, const FitOptions& options,
                     ThreadPool& pool) {
  Calibrated out =
      answers.size() == 1 ? calibrate_one(table, answers, options, pool) : join(table, answers, options, pool);
  out.model.class_shift = class_shift(options.class_prior, table.samples.counts);
  shift_classes(out.model.class_shift, out.left_out);
  if (out.flattered) shift_classes(out.model.class_shift, *out.flattered);
  return out;
}

Matrix join_left_out(const FitTable& table, const std::vector<std::vector<double>>& own_side,
                     const std::vector<double>& class_shift, ThreadPool& pool) {
  const std::vector<std::uint32_t>& classes = table.samples.classes;
  Matrix out;
  if (own_side.size() == 1) {
    out = of_two(own_side.front(), classes);
  } else {
    std::vector<std::vector<double>> said = own_side;
    for (auto& one : said)
      for (double& p : one) p = std::log(p);
    out = fit_joining(fields_of(said, classes), classes, pool, table.together()).probability;
  }
  shift_classes(class_shift, out);
  return out;
}

Matrix class_probabilities(const Calibration& calibration, const Matrix& of_questions,
                           const std::optional<Matrix>& together, const FeatureMatrix& covariates) {
  Matrix out;
  if (of_questions.cols() == 1) {
    out.resize(of_questions.rows(), 2);
    for (Eigen::Index mu = 0; mu < out.rows(); ++mu) {
      const double p = of_questions(mu, 0);
      out(mu, 1) = calibration.recalibration ? recalibrated(*calibration.recalibration, p) : p;
      out(mu, 0) = 1 - out(mu, 1);
    }
  } else {
    const double share = calibration.together.share;
    out = joined(calibration.joining, of_questions.unaryExpr([](double p) { return joining_field(p); }));
    if (share > 0) out = (1 - share) * out + share * together.value();
  }
  if (const Nothing& nothing = calibration.nothing; nothing.share > 0)
    mix_nothing(nothing.share, where_nothing_matters(nothing, covariates, static_cast<std::size_t>(out.rows())), out);
  shift_classes(calibration.class_shift, out);
  return out;
}

}  // namespace cavity
