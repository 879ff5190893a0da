#include "baselines/baseline_run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "baselines/fisher.hpp"
#include "baselines/folds.hpp"
#include "baselines/link_width.hpp"
#include "baselines/sbl.hpp"
#include "infer/predictive.hpp"

namespace cavity {

namespace {

std::vector<double> scores(const Rows& rows, const std::vector<double>& mean,
                           const std::vector<double>& covariate_mean) {
  ThreadPool serial(1);
  return field_means(rows.design, mean, rows.covariates.values, covariate_mean, serial);
}

BaselineOutcome run_fisher(const BaselineJob& job) {
  const Scatter scatter = job.options.method == Baseline::fda ? Scatter::pseudo_inverse : Scatter::shrunk;
  const FisherDirection found = fisher_discriminant(job.design, job.labels, scatter, job.pool);
  BaselineOutcome out;
  out.field = scores({job.design, job.labels, job.covariates}, found.weights, {found.intercept});
  double width = 1;
  if (job.options.folds > 1) {
    const auto fold_scores = cross_validate(job.inputs, job.labels, job.covariates, job.options.folds, job.options.seed,
                                            [&](const Rows& training, const Rows& left_out) {
                                              const FisherDirection part = fisher_discriminant(
                                                  training.design, training.labels, scatter, job.pool);
                                              return scores(left_out, part.weights, {part.intercept});
                                            });
    width = fit_link_width(fold_scores, job.labels);
    for (const double s : fold_scores) out.left_out.push_back(average_likelihood(probit(width), s, 1e-10));
  }
  out.component = {1, width, 0, 1, found.weights, {found.intercept}, 0, {}, {}, {}, {}};
  out.cell.status = "converged";
  out.cell.usable = true;
  out.cell.iterations = 1;
  double largest = 0;
  for (const double w : found.weights) largest = std::max(largest, std::abs(w));
  for (const double w : found.weights) out.inclusion.push_back(largest > 0 ? std::abs(w) / largest : 0);
  out.sd.assign(found.weights.size(), 0);
  return out;
}

SblOptions sbl_options(const BaselineOptions& options) {
  SblOptions out;
  if (options.max_iterations > 0) out.max_iterations = options.max_iterations;
  return out;
}

BaselineOutcome run_sbl(const BaselineJob& job) {
  SblFit found = fit_sbl(job.design, job.labels, job.covariates, sbl_options(job.options));
  BaselineOutcome out;
  out.field = found.field;
  const auto n = static_cast<double>(job.design.features());
  const double density = std::max<double>(1, static_cast<double>(found.relevant)) / n;
  if (job.options.folds > 1) {
    const auto fold_scores = cross_validate(
        job.inputs, job.labels, job.covariates, job.options.folds, job.options.seed,
        [&](const Rows& training, const Rows& left_out) {
          const SblFit part = fit_sbl(training.design, training.labels, training.covariates, sbl_options(job.options));
          return scores(left_out, part.mean, part.covariate_mean);
        });
    for (const double s : fold_scores) out.left_out.push_back(average_likelihood(LogisticActivation{1}, s, 1e-10));
  }
  out.sd.resize(found.mean.size());
  for (std::size_t l = 0; l < out.sd.size(); ++l) out.sd[l] = std::sqrt((1 - found.determined[l]) / found.precision[l]);
  out.inclusion = found.determined;
  out.cell.status = to_string(found.status);
  out.cell.usable = usable(found.status);
  out.cell.iterations = found.iterations;
  out.cell.residual = found.residual;
  out.cell.log_evidence = found.log_evidence;
  out.covariate_precision = found.covariate_precision * density;
  const double variance = std::accumulate(found.field_variance.begin(), found.field_variance.end(), 0.0) /
                          static_cast<double>(found.field_variance.size());
  out.component = {density,
                   1,
                   0,
                   1,
                   std::move(found.mean),
                   std::move(found.covariate_mean),
                   variance,
                   std::move(found.precision),
                   std::move(found.sample_precision),
                   {},
                   {}};
  return out;
}

}  // namespace

BaselineOutcome run_baseline(const BaselineJob& job) {
  return job.options.method == Baseline::sbl ? run_sbl(job) : run_fisher(job);
}

}  // namespace cavity
