#include "sample/place_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cavity {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t followed_features = 10;
constexpr double least_followed = 0.1;  // inclusion: what happens less often has no R-hat to speak of

enum Quantity : std::size_t { size_quantity, likelihood_quantity, quantities };

void add_fields(const PlaceChain& chain, PlaceRecord& record) {
  for (std::size_t mu = 0; mu < record.field.size(); ++mu) {
    const double mean = chain.field_mean(mu);
    record.field[mu] += mean;
    record.field_square[mu] += mean * mean + chain.field_variance(mu);
  }
}

std::vector<double> average(std::span<const PlaceRecord> records, std::vector<double> PlaceTally::*part, double draws) {
  std::vector<double> out((records.front().tally.*part).size(), 0);
  for (const PlaceRecord& record : records)
    for (std::size_t l = 0; l < out.size(); ++l) out[l] += (record.tally.*part)[l] / draws;
  return out;
}

/// 0 and 1 of some features through the chains.
std::vector<ChainSums> follow_features(std::span<const PlaceRecord> records, const std::vector<std::size_t>& features) {
  std::vector<ChainSums> out;
  std::vector<double> kept(features.size());
  for (const PlaceRecord& record : records) {
    ChainSums& sums = out.emplace_back(features.size(), record.draws.count());
    const std::uint32_t* place = record.draws.place.data();
    for (const std::size_t size : record.draws.size) {
      const std::span<const std::uint32_t> places(place, size);
      for (std::size_t k = 0; k < features.size(); ++k)
        kept[k] = std::ranges::find(places, features[k]) != places.end() ? 1 : 0;
      sums.add(kept);
      place += size;
    }
  }
  return out;
}

std::vector<std::size_t> most_included(const std::vector<double>& inclusion) {
  std::vector<std::size_t> order;
  for (std::size_t l = 0; l < inclusion.size(); ++l)
    if (inclusion[l] >= least_followed) order.push_back(l);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t l) { return inclusion[l]; });
  order.resize(std::min(order.size(), followed_features));
  return order;
}

PlaceDiagnostics diagnose(std::span<const PlaceRecord> records, const std::vector<double>& inclusion) {
  PlaceDiagnostics out;
  out.min_effective_draws = std::numeric_limits<double>::infinity();
  const auto follow = [&out](std::span<const ChainSums> chains, std::size_t quantity) {
    const ChainSummary summary = summarise(chains, quantity);
    out.max_r_hat = std::max(out.max_r_hat, summary.r_hat);
    out.min_effective_draws = std::min(out.min_effective_draws, summary.effective_draws);
    return summary.mean;
  };
  std::vector<ChainSums> sums;
  for (const PlaceRecord& record : records) sums.push_back(record.sums);
  out.mean_size = follow(sums, size_quantity);
  follow(sums, likelihood_quantity);
  const std::vector<std::size_t> features = most_included(inclusion);
  const std::vector<ChainSums> kept = follow_features(records, features);
  for (std::size_t k = 0; k < features.size(); ++k) follow(kept, k);
  return out;
}

/// beta = b width sqrt(kept); gamma, a covariate's weight, is b width sqrt(density), as the field is.
void summarise_weights(const PlaceProblem& problem, std::span<const PlaceRecord> records, double draws,
                       Posterior& out) {
  out.inclusion = average(records, &PlaceTally::inclusion, draws);
  out.mean = average(records, &PlaceTally::mean, draws);
  out.variance = average(records, &PlaceTally::square, draws);
  const double scale = problem.width * std::sqrt(problem.kept);
  for (std::size_t l = 0; l < out.mean.size(); ++l) {
    out.inclusion[l] = std::min(out.inclusion[l], 1.0);
    out.variance[l] = scale * scale * (out.variance[l] - out.mean[l] * out.mean[l]);
    out.mean[l] *= scale;
  }
}

void summarise_covariates(const PlaceProblem& problem, const PlaceDraws& draws, Posterior& out) {
  const double scale = problem.width * std::sqrt(problem.density()), share = 1 / static_cast<double>(draws.count());
  std::vector<double> mean(draws.covariates, 0), square(draws.covariates, 0);
  const double *b = draws.mean.data(), *factor = draws.factor.data();
  for (const std::size_t size : draws.size) {
    const std::size_t weights = draws.covariates + size;
    for (std::size_t j = 0; j < draws.covariates; ++j) {
      mean[j] += b[j] * share;
      double variance = 0;  // row j of F, whose columns are packed
      for (std::size_t k = j; k < weights; ++k) variance += factor[k * (k + 1) / 2 + j] * factor[k * (k + 1) / 2 + j];
      square[j] += (b[j] * b[j] + variance) * share;
    }
    b += weights;
    factor += weights * (weights + 1) / 2;
  }
  for (std::size_t j = 0; j < draws.covariates; ++j) {
    out.covariate_mean.push_back(scale * mean[j]);
    out.covariate_variance.push_back(scale * scale * (square[j] - mean[j] * mean[j]));
  }
}

void summarise_fields(const PlaceProblem& problem, std::span<const PlaceRecord> records, double draws, Posterior& out) {
  const std::size_t samples = problem.labels.size();
  const double square_scale = problem.width * problem.width * problem.density();
  std::vector<double> field(samples);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    double mean = 0, square = 0;
    for (const PlaceRecord& record : records) {
      mean += record.field[mu] / draws;
      square += record.field_square[mu] / draws;
    }
    field[mu] = problem.labels[mu] * mean;
    out.common_field_variance += square_scale * (square - mean * mean) / static_cast<double>(samples);
  }
  out.train_error = sign_error(field);
  out.cavity_mean.assign(samples, nan);
  out.cavity_variance.assign(samples, nan);
}

}  // namespace

PlaceRecord run_place_chain(const PlaceModel& model, std::size_t kept, const PlaceOptions& options, std::size_t draws,
                            Random random) {
  const std::vector<double> features(model.features(), 0), samples(model.samples(), 0);
  PlaceRecord record{ChainSums(quantities, draws), {features, features, features}, {}, samples, samples, {}};
  record.draws.flip = model.flip;
  record.draws.covariates = model.precision.size();
  PlaceChain chain(model, kept, random);
  for (int i = 0; i < options.warm_up; ++i) chain.step();
  for (std::size_t draw = 0; draw < draws; ++draw) {
    chain.step(&record.tally);
    const double values[] = {static_cast<double>(chain.state().places.size()), chain.log_likelihood()};
    record.sums.add(values);
    record.draws.add(chain.state().places, chain.basis().root, chain.basis().score);
    add_fields(chain, record);
  }
  record.last = chain.state();
  return record;
}

PlaceResult summarise_places(const PlaceProblem& problem, const PlaceOptions& options,
                             std::span<const PlaceRecord> records, ThreadPool& pool) {
  PlaceResult out;
  Posterior& posterior = out.posterior;
  PlaceDraws all = records.front().draws;
  for (const PlaceRecord& record : records.subspan(1)) all.append(record.draws);
  const auto draws = static_cast<double>(all.count());
  summarise_weights(problem, records, draws, posterior);
  summarise_covariates(problem, all, posterior);
  summarise_fields(problem, records, draws, posterior);
  out.diagnostics = diagnose(records, posterior.inclusion);
  out.sets = credible_sets(all, problem.design, options.credible, pool);
  out.draws = all.thinned(options.kept_draws);
  posterior.prior = uninformed_prior(problem.density());
  posterior.iterations = options.warm_up + static_cast<int>(records.front().draws.count());
  posterior.residual = out.diagnostics.max_r_hat - 1;
  posterior.status = out.diagnostics.max_r_hat < options.r_hat_limit ? Status::converged : Status::stalled;
  return out;
}

}  // namespace cavity
