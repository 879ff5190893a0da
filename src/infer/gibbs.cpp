#include "infer/gibbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cavity/errors.hpp"
#include "infer/chain_statistics.hpp"
#include "infer/gibbs_chain.hpp"
#include "infer/joint_gaussian.hpp"
#include "model/score.hpp"

namespace cavity {

namespace {

constexpr std::size_t max_entries = 20'000'000;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void check_options(const Problem& problem, const GibbsOptions& options) {
  const std::size_t samples = problem.design.samples(), features = problem.design.features();
  if (samples * features > max_entries)
    throw UsageError(
        fmt::format("gibbs needs all of {} x {} values in each of many sweeps, above its limit of {}: use "
                    "`solver=ep`",
                    samples, features, max_entries));
  if (options.chains < 1 || options.warm_up < 0 || options.draws < 1 || options.thinning < 1)
    throw UsageError(fmt::format("gibbs cannot run {} chains of {} + {} draws thinned by {}", options.chains,
                                 options.warm_up, options.draws, options.thinning));
  if (!(options.likelihood_power >= 0))
    throw UsageError(fmt::format("likelihood power {} is negative", options.likelihood_power));
  if (options.likelihood_power != 1 && !scale_is_free(problem.activation))
    throw UsageError("a power of the likelihood can be sampled for the step activation only");
}

GibbsModel make_model(const Problem& problem, const GibbsOptions& options) {
  const std::size_t n = problem.design.features();
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  Matrix x;
  problem.design.columns(all, x);
  const Eigen::Index covariates = static_cast<Eigen::Index>(problem.covariates.count());
  GibbsModel model{Eigen::MatrixXd(x.rows(), x.cols() + covariates),
                   n,
                   {},
                   problem.activation,
                   options.prior.value_or(uninformed_prior(problem.density)),
                   options.likelihood_power};
  model.columns.leftCols(x.cols()) = x / std::sqrt(static_cast<double>(n));
  if (covariates > 0) model.columns.rightCols(covariates) = problem.covariates.values;
  for (std::size_t j = 0; j < problem.covariates.count(); ++j)
    model.covariate_precision.push_back(covariate_precision(problem, j));
  return model;
}

// Quantities followed, in this order: inclusion and weight a feature, covariate weights, log likelihood.
struct Layout {
  std::size_t features, covariates;
  std::size_t weight(std::size_t l) const { return features + l; }
  std::size_t covariate(std::size_t j) const { return 2 * features + j; }
  std::size_t log_likelihood() const { return 2 * features + covariates; }
  std::size_t count() const { return log_likelihood() + 1; }
};

struct ChainRecord {
  ChainSums sums;
  std::vector<double> inverse, inverse_square;  // a sample: sums of 1/f and 1/f^2
  std::vector<double> field, field_square;
};

ChainRecord run_chain(const GibbsModel& model, std::span<const std::int8_t> labels, const GibbsOptions& options,
                      std::size_t draws, int number) {
  const Layout layout{model.features, model.covariate_precision.size()};
  ChainRecord record{ChainSums(layout.count(), draws), {}, {}, {}, {}};
  for (auto* v : {&record.inverse, &record.inverse_square, &record.field, &record.field_square})
    v->assign(model.samples(), 0);
  GibbsChain chain(model, labels, Random(options.seed, static_cast<std::uint64_t>(number)));
  const auto sweep = [&](int times) {
    for (int i = 0; i < times; ++i) {
      if (options.each_sweep) options.each_sweep();
      chain.sweep();
    }
  };
  sweep(options.warm_up);
  std::vector<double> values(layout.count()), log_f(model.samples());
  for (std::size_t draw = 0; draw < draws; ++draw) {
    sweep(options.thinning);
    std::copy(chain.inclusion().begin(), chain.inclusion().end(), values.begin());
    std::copy(chain.weights().begin(), chain.weights().end(),
              values.begin() + static_cast<std::ptrdiff_t>(layout.weight(0)));
    std::copy(chain.covariate_weights().begin(), chain.covariate_weights().end(),
              values.begin() + static_cast<std::ptrdiff_t>(layout.covariate(0)));
    chain.log_likelihood(log_f);
    values[layout.log_likelihood()] = std::accumulate(log_f.begin(), log_f.end(), 0.0);
    record.sums.add(values);
    for (std::size_t mu = 0; mu < log_f.size(); ++mu) {
      const double inverse = std::exp(-log_f[mu]), field = labels[mu] * chain.fields()[mu];
      record.inverse[mu] += inverse;
      record.inverse_square[mu] += inverse * inverse;
      record.field[mu] += field;
      record.field_square[mu] += field * field;
    }
    if (options.observer)
      options.observer({number, static_cast<int>(draw), chain.weights(), chain.covariate_weights(), chain.fields()});
  }
  return record;
}

double total(std::span<const ChainRecord> records, std::vector<double> ChainRecord::*part, std::size_t mu) {
  double sum = 0;
  for (const ChainRecord& record : records) sum += (record.*part)[mu];
  return sum;
}

void summarise_samples(const Problem& problem, std::span<const ChainRecord> records, double draws, GibbsResult& out) {
  Posterior& posterior = out.posterior;
  const std::size_t samples = problem.design.samples();
  const bool reweightable = !labels_are_certain(problem.activation);
  std::vector<double> field(samples);
  double log_loss = 0, error = 0;
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const double inverse = total(records, &ChainRecord::inverse, mu);
    const double square = total(records, &ChainRecord::inverse_square, mu);
    const double log_g = reweightable ? std::log(draws / inverse) : nan;
    posterior.loo_log_probability.push_back(log_g);
    out.diagnostics.loo_effective_draws.push_back(reweightable ? inverse * inverse / square : nan);
    log_loss -= log_g;
    error += wrong_label(std::exp(log_g));
    field[mu] = total(records, &ChainRecord::field, mu) / draws;
    posterior.common_field_variance +=
        (total(records, &ChainRecord::field_square, mu) / draws - field[mu] * field[mu]) / static_cast<double>(samples);
  }
  posterior.loo_log_loss = log_loss / static_cast<double>(samples);
  posterior.loo_error = reweightable ? error / static_cast<double>(samples) : nan;
  posterior.train_error = sign_error(field);
  posterior.cavity_mean.assign(samples, nan);
  posterior.cavity_variance.assign(samples, nan);
}

GibbsResult summarise_chains(const Problem& problem, const GibbsOptions& options,
                             std::span<const ChainRecord> records) {
  const Layout layout{problem.design.features(), problem.covariates.count()};
  std::vector<ChainSums> sums;
  for (const ChainRecord& record : records) sums.push_back(record.sums);
  GibbsResult out;
  GibbsDiagnostics& diagnostics = out.diagnostics;
  diagnostics.min_effective_draws = std::numeric_limits<double>::infinity();
  const auto follow = [&](std::size_t quantity) {
    const ChainSummary s = summarise(sums, quantity);
    diagnostics.max_r_hat = std::max(diagnostics.max_r_hat, s.r_hat);
    diagnostics.min_effective_draws = std::min(diagnostics.min_effective_draws, s.effective_draws);
    return s;
  };
  Posterior& posterior = out.posterior;
  for (std::size_t l = 0; l < layout.features; ++l) {
    const ChainSummary inclusion = follow(l), weight = follow(layout.weight(l));
    posterior.inclusion.push_back(inclusion.mean);
    diagnostics.inclusion_error.push_back(inclusion.standard_error());
    posterior.mean.push_back(weight.mean);
    posterior.variance.push_back(weight.variance);
  }
  for (std::size_t j = 0; j < layout.covariates; ++j) {
    const ChainSummary weight = follow(layout.covariate(j));
    posterior.covariate_mean.push_back(weight.mean);
    posterior.covariate_variance.push_back(weight.variance);
  }
  const ChainSummary log_likelihood = follow(layout.log_likelihood());
  diagnostics.mean_log_likelihood = log_likelihood.mean;
  diagnostics.mean_log_likelihood_error = log_likelihood.standard_error();
  summarise_samples(problem, records, static_cast<double>(sums.size() * sums.front().draws()), out);

  const bool feasible = std::isfinite(log_likelihood.mean);
  posterior.status = feasible && diagnostics.max_r_hat < options.r_hat_limit ? Status::converged : Status::stalled;
  posterior.residual = diagnostics.max_r_hat - 1;
  return out;
}

}  // namespace

GibbsResult fit_gibbs(const Problem& problem, const GibbsOptions& options, ThreadPool& pool) {
  check_problem(problem);
  check_options(problem, options);
  const GibbsModel model = make_model(problem, options);
  const std::size_t batches = ChainSums::batches;
  const std::size_t draws = (static_cast<std::size_t>(options.draws) + batches - 1) / batches * batches;
  const auto chains = static_cast<std::size_t>(options.chains);
  std::vector<std::optional<ChainRecord>> slots(chains);
  pool.run(chains,
           [&](std::size_t k) { slots[k] = run_chain(model, problem.labels, options, draws, static_cast<int>(k)); });
  std::vector<ChainRecord> records;
  for (auto& slot : slots) records.push_back(std::move(*slot));
  GibbsResult out = summarise_chains(problem, options, records);
  out.posterior.prior = model.prior;
  out.posterior.iterations = options.warm_up + static_cast<int>(draws) * options.thinning;
  return out;
}

}  // namespace cavity
