#include "search/single_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/ranking.hpp"
#include "model/log_sum.hpp"
#include "model/normal.hpp"
#include "prepare/transform.hpp"

namespace cavity {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_cuts = 24;
constexpr double weights[] = {1.5, 0.6, 0.25, -0.25, -0.6, -1.5};  // as a slab has them: no gene need be sharp
constexpr std::size_t draw_parts = 4;
constexpr double told = 1 - 1e-4;  // probability of all features that are looked at again
constexpr std::size_t features_a_block = 64;

/// As many as have nearly all of the probability, the most probable first.
std::vector<std::size_t> most_probable(const std::vector<double>& probability) {
  std::vector<std::size_t> out = falling_order(probability.size(), [&](std::size_t l) { return probability[l]; });
  double sum = 0;
  std::size_t count = 0;
  while (count < out.size() && sum < told) sum += probability[out[count++]];
  out.resize(count);
  return out;
}

}  // namespace

SinglePlaces::SinglePlaces(std::span<const std::int8_t> labels, double flip, double width)
    : labels_(labels), flip_(flip), width_(width), score_(normal_scores(labels.size())) {
  const auto samples = static_cast<double>(labels.size());
  const std::size_t count = std::min(labels.size() - 1, most_cuts);
  for (const double weight : weights)
    for (std::size_t k = 0; k < count; ++k) {
      const double below = 0.5 + (static_cast<double>(k) + 0.5) * (samples - 1) / static_cast<double>(count);
      cut_.push_back(normal_quantile(below / samples));
      weight_.push_back(weight);
    }
  for (const float score : score_)
    for (std::size_t state = 0; state < states(); ++state) {
      const double p = flip + (1 - 2 * flip) * normal_cdf(weight_[state] * (score - cut_[state]) / width);
      positive_.log_likelihood.push_back(std::log(p));
      positive_.inverse.push_back(1 / p);
      negative_.log_likelihood.push_back(std::log(1 - p));
      negative_.inverse.push_back(1 / (1 - p));
    }
}

void SinglePlaces::add_log_likelihoods(std::size_t mu, std::uint32_t place, std::span<double> to) const {
  const double* own = table(mu).log_likelihood.data() + place * to.size();
  for (std::size_t state = 0; state < to.size(); ++state) to[state] += own[state];
}

double SinglePlaces::log_evidence(std::span<const std::uint32_t> place) const {
  std::vector<double> all(states(), 0);
  for (std::size_t mu = 0; mu < place.size(); ++mu) add_log_likelihoods(mu, place[mu], all);
  return log_sum(all) - std::log(static_cast<double>(states()));
}

std::vector<SinglePlaces::Likely> SinglePlaces::likely_places(const PlaceInputs& inputs,
                                                              const std::vector<double>& probability,
                                                              double log_evidence, ThreadPool& pool) const {
  const std::vector<std::size_t> which = most_probable(probability);
  double total = 0;
  for (const std::size_t l : which) total += probability[l];
  const double unit = log_evidence + std::log(static_cast<double>(states())) + std::log(total);
  std::vector<Likely> out(which.size());
  pool.run((which.size() + features_a_block - 1) / features_a_block, [&](std::size_t block) {
    for (std::size_t i = block * features_a_block; i < std::min((block + 1) * features_a_block, out.size()); ++i) {
      Likely& f = out[i];
      f.which = which[i];
      f.probability.assign(states(), 0);
      for (std::size_t mu = 0; mu < labels_.size(); ++mu) {
        const auto at = std::ranges::lower_bound(score_, inputs.scores.row(mu)[f.which]);
        f.place.push_back(static_cast<std::uint32_t>(at - score_.begin()));
        add_log_likelihoods(mu, f.place.back(), f.probability);
      }
      for (double& p : f.probability) p = std::exp(p - unit);
    }
  });
  return out;
}

void SinglePlaces::leave_one_out(const std::vector<Likely>& places, ThreadPool& pool, Posterior& out) const {
  std::vector<double> log_probability(labels_.size());
  pool.run(labels_.size(), [&](std::size_t mu) {
    double without = 0;
    for (const Likely& f : places) {
      const double* inverse = table(mu).inverse.data() + f.place[mu] * states();
      without += std::inner_product(f.probability.begin(), f.probability.end(), inverse, 0.0);
    }
    log_probability[mu] = -std::log(without);
  });
  left_out(std::move(log_probability), out);
}

void SinglePlaces::summarise_weights(const std::vector<Likely>& places, Posterior& out) const {
  const std::size_t count = out.inclusion.size();
  out.mean.assign(count, 0);
  out.variance.assign(count, 0);
  for (const Likely& f : places)
    for (std::size_t state = 0; state < states(); ++state) {
      out.mean[f.which % count] += f.probability[state] * weight_[state];
      out.variance[f.which % count] += f.probability[state] * weight_[state] * weight_[state];
    }
  for (std::size_t l = 0; l < count; ++l) out.variance[l] = std::max(out.variance[l] - out.mean[l] * out.mean[l], 0.0);
}

/// Evenly spread over the states, and every quarter of the draws a picture of them all, as chains are.
PlaceDraws SinglePlaces::spread_draws(const std::vector<Likely>& places) const {
  PlaceDraws out{.flip = flip_, .covariates = 1};
  out.size.assign(kept_draws, 1);
  out.place.resize(kept_draws);
  out.mean.resize(2 * kept_draws);
  out.factor.assign(3 * kept_draws, 0);  // a cut is where it is
  std::size_t taken = 0;
  const auto take = [&](std::size_t which, std::size_t state) {
    const std::size_t at = taken % draw_parts * (kept_draws / draw_parts) + taken / draw_parts;
    out.place[at] = static_cast<std::uint32_t>(which);
    out.mean[2 * at] = -weight_[state] * cut_[state] / width_;
    out.mean[2 * at + 1] = weight_[state] / width_;
    ++taken;
  };
  double passed = 0;
  for (const Likely& f : places)
    for (std::size_t state = 0; state < states(); ++state) {
      passed += f.probability[state] * kept_draws;
      while (taken < kept_draws && static_cast<double>(taken) + 0.5 < passed) take(f.which, state);
    }
  return out;
}

void SinglePlaces::summarise_fields(const PlaceDraws& draws, const PlaceInputs& inputs, Posterior& out) const {
  const std::size_t samples = labels_.size(), features = out.inclusion.size();
  const double share = 1.0 / kept_draws, density = 1 / static_cast<double>(features);
  std::vector<double> field(samples, 0);
  double square = 0, intercept = 0, intercept_square = 0;
  for (std::size_t draw = 0; draw < kept_draws; ++draw) {
    const double offset = width_ * draws.mean[2 * draw], slope = width_ * draws.mean[2 * draw + 1];
    intercept += offset * share;
    intercept_square += offset * offset * share;
    for (std::size_t mu = 0; mu < samples; ++mu) {
      const double own = offset + slope * inputs.scores.row(mu)[draws.place[draw]];
      field[mu] += own * share;
      square += own * own * share / static_cast<double>(samples);
    }
  }
  for (std::size_t mu = 0; mu < samples; ++mu) {
    square -= field[mu] * field[mu] / static_cast<double>(samples);
    field[mu] *= labels_[mu];
  }
  out.common_field_variance = density * square;
  out.covariate_mean = {std::sqrt(density) * intercept};
  out.covariate_variance = {density * (intercept_square - intercept * intercept)};
  out.train_error = sign_error(field);
  out.cavity_mean.assign(samples, nan);
  out.cavity_variance.assign(samples, nan);
}

PlaceResult SinglePlaces::sum(const PlaceInputs& inputs, ThreadPool& pool) const {
  PlaceResult out;
  Posterior& posterior = out.posterior;
  std::vector<double> probability = inputs.log_evidence;
  const double all = log_sum(probability);
  posterior.inclusion.assign(inputs.inputs, 0);
  for (std::size_t i = 0; i < probability.size(); ++i) {
    probability[i] = std::exp(probability[i] - all);
    posterior.inclusion[i % inputs.inputs] += probability[i];
  }
  const std::vector<Likely> likely = likely_places(inputs, probability, all, pool);
  leave_one_out(likely, pool, posterior);
  summarise_weights(likely, posterior);
  out.draws = spread_draws(likely);
  summarise_fields(out.draws, inputs, posterior);
  posterior.log_evidence = all - std::log(static_cast<double>(probability.size()));
  posterior.prior = uninformed_prior(1 / static_cast<double>(inputs.inputs));
  posterior.status = Status::converged;
  posterior.iterations = 1;
  out.diagnostics = {1, kept_draws, 1};
  return out;
}

}  // namespace cavity
