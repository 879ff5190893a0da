#include "infer/place_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "model/negligible.hpp"

namespace cavity {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double least_followed = 0.1;  // inclusion: what happens less often has no R-hat to speak of
constexpr std::uint64_t evidence_stream = std::uint64_t{1} << 20;  // of the seed's random numbers

enum Quantity : std::size_t { size_quantity, likelihood_quantity, quantities };

void add_fields(const PlaceChain& chain, const PlaceRows& rows, PlaceRecord& record) {
  const Eigen::Index samples = record.field.rows();
  Eigen::VectorXd mean(samples), square(samples);
  for (Eigen::Index mu = 0; mu < samples; ++mu) {
    mean[mu] = chain.field_mean(static_cast<std::size_t>(mu));
    square[mu] = mean[mu] * mean[mu] + chain.field_variance(static_cast<std::size_t>(mu));
  }
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const double share = rows.share(row, chain.state().places.size());
    record.field.col(static_cast<Eigen::Index>(row)) += share * mean;
    record.field_square.col(static_cast<Eigen::Index>(row)) += share * square;
  }
}

std::vector<double> average(std::span<const PlaceRecord> records, std::size_t row,
                            std::vector<double> PlaceTally::*part) {
  double draws = 0;
  for (const PlaceRecord& record : records) draws += record.tallies[row].draws;
  std::vector<double> out((records.front().tallies[row].*part).size(), 0);
  for (const PlaceRecord& record : records)
    for (std::size_t l = 0; l < out.size(); ++l) out[l] += (record.tallies[row].*part)[l] / draws;
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

/// The commonest first.
std::vector<std::size_t> often_kept(const PlaceDraws& draws) {
  std::map<std::uint32_t, std::size_t> times;
  for (const std::uint32_t feature : draws.place) ++times[feature];
  std::vector<std::size_t> order;
  for (const auto& [feature, count] : times)
    if (static_cast<double>(count) >= least_followed * static_cast<double>(draws.count())) order.push_back(feature);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t l) { return times[static_cast<std::uint32_t>(l)]; });
  return order;
}

PlaceDiagnostics diagnose(std::span<const PlaceRecord> records, const PlaceDraws& all) {
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
  const std::vector<std::size_t> features = often_kept(all);
  const std::vector<ChainSums> kept = follow_features(records, features);
  for (std::size_t k = 0; k < features.size(); ++k) follow(kept, k);
  return out;
}

/// beta = b width sqrt(kept); gamma, a covariate's weight, is b width sqrt(density), as the field is.
void summarise_weights(const PlaceProblem& problem, std::span<const PlaceRecord> records, std::size_t row,
                       Posterior& out) {
  out.inclusion = average(records, row, &PlaceTally::inclusion);
  out.mean = average(records, row, &PlaceTally::mean);
  out.variance = average(records, row, &PlaceTally::square);
  const double scale = problem.width * std::sqrt(problem.kept);
  for (std::size_t l = 0; l < out.mean.size(); ++l) {
    out.inclusion[l] = std::min(out.inclusion[l], 1.0);
    out.variance[l] = scale * scale * (out.variance[l] - out.mean[l] * out.mean[l]);
    out.mean[l] *= scale;
  }
}

void summarise_covariates(const PlaceProblem& problem, const PlaceDraws& draws, std::span<const double> weight,
                          Posterior& out) {
  const double scale = problem.width * std::sqrt(problem.density()),
               total = std::accumulate(weight.begin(), weight.end(), 0.0);
  std::vector<double> mean(draws.covariates, 0), square(draws.covariates, 0);
  const double *b = draws.mean.data(), *factor = draws.factor.data();
  for (std::size_t draw = 0; draw < draws.count(); ++draw) {
    const std::size_t weights = draws.covariates + draws.size[draw];
    const double share = weight[draw] / total;
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

void summarise_fields(const PlaceProblem& problem, std::span<const PlaceRecord> records, std::size_t row, double draws,
                      Posterior& out) {
  const std::size_t samples = problem.labels.size();
  const double square_scale = problem.width * problem.width * problem.density();
  std::vector<double> field(samples);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const auto i = static_cast<Eigen::Index>(mu), j = static_cast<Eigen::Index>(row);
    double mean = 0, square = 0;
    for (const PlaceRecord& record : records) {
      mean += record.field(i, j) / draws;
      square += record.field_square(i, j) / draws;
    }
    field[mu] = problem.labels[mu] * mean;
    out.common_field_variance += square_scale * (square - mean * mean) / static_cast<double>(samples);
  }
  out.train_error = sign_error(field);
  out.cavity_mean.assign(samples, nan);
  out.cavity_variance.assign(samples, nan);
}

struct RowWeights {
  std::vector<double> weight;  // a draw
  double sum = 0, effective = 0;

  RowWeights(const PlaceRows& rows, std::size_t row, const PlaceDraws& draws) {
    double square = 0;
    for (const std::size_t size : draws.size) {
      weight.push_back(rows.share(row, size));
      sum += weight.back();
      square += weight.back() * weight.back();
    }
    effective = sum * sum / square;
  }
};

PlaceResult summarise_row(const PlaceProblem& problem, std::span<const PlaceRecord> records, std::size_t row,
                          const RowWeights& weights, const PlaceDraws& draws) {
  PlaceResult out;
  summarise_weights(problem, records, row, out.posterior);
  summarise_covariates(problem, draws, weights.weight, out.posterior);
  summarise_fields(problem, records, row, weights.sum, out.posterior);
  out.posterior.prior = uninformed_prior(problem.density());
  return out;
}

}  // namespace

PlaceRecord run_place_chain(const PlaceModel& model, std::size_t kept, const PlaceOptions& options, std::size_t draws,
                            Random random) {
  const std::vector<double> features(model.features(), 0);
  const auto samples = static_cast<Eigen::Index>(model.samples()), rows = static_cast<Eigen::Index>(model.rows.count());
  PlaceRecord record{ChainSums(quantities, draws),
                     {},
                     {},
                     PlaceVisits(model, options.groups),
                     Eigen::MatrixXd::Zero(samples, rows),
                     Eigen::MatrixXd::Zero(samples, rows)};
  record.tallies.assign(model.rows.count(), {0, features, features, features});
  record.draws.flip = model.flip;
  record.draws.covariates = model.precision.size();
  PlaceChain chain(model, kept, random);
  for (int i = 0; i < options.warm_up; ++i) chain.step();
  for (std::size_t draw = 0; draw < draws; ++draw) {
    chain.step(record.tallies, &record.visits);
    const double values[] = {static_cast<double>(chain.state().places.size()), chain.log_likelihood()};
    record.sums.add(values);
    add_draw(chain.state().places, chain.basis().root, chain.basis().score, record.draws);
    add_fields(chain, model.rows, record);
    if (options.observer) options.observer();
  }
  return record;
}

std::vector<PlaceResult> summarise_places(const PlaceProblem& problem, const PlaceModel& model,
                                          const PlaceOptions& options, std::span<const PlaceRecord> records) {
  PlaceDraws all = records.front().draws;
  for (const PlaceRecord& record : records.subspan(1)) append_draws(record.draws, all);
  const PlaceDiagnostics together = diagnose(records, all);
  std::vector<PlaceVisits> visits;
  for (const PlaceRecord& record : records) visits.push_back(record.visits);
  const double evidence = log_evidence(model, visits, Random(options.seed, evidence_stream));
  PlaceVisits visited = visits.front();
  for (const PlaceVisits& others : std::span(visits).subspan(1)) visited.add(others);
  std::vector<PlaceResult> out;
  for (std::size_t row = 0; row < model.rows.count(); ++row) {
    const PlaceProblem own = row_problem(problem, model.rows.kept(row));
    const RowWeights weights(model.rows, row, all);
    PlaceResult& result = out.emplace_back(summarise_row(own, records, row, weights, all));
    result.draws = thinned(all, weights.weight, options.kept_draws);
    const double share = weights.effective / static_cast<double>(all.count());
    result.diagnostics = together;
    result.diagnostics.min_effective_draws *= share;
    Posterior& posterior = result.posterior;
    left_out(visited.left_out(row), posterior);
    result.left_out_known = visited.least_left(row) >= negligible;
    posterior.log_evidence = evidence + std::log(visited.share(row));
    posterior.iterations = options.warm_up + static_cast<int>(records.front().draws.count());
    posterior.residual = together.max_r_hat - 1;
    const Status mixing = together.max_r_hat < options.r_hat_limit ? Status::converged : Status::not_mixed;
    posterior.status = share >= negligible ? mixing : Status::stalled;
  }
  return out;
}

}  // namespace cavity
