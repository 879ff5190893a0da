// Is what EP says true? Simulation-based calibration (Talts et al. 2018) on data drawn from the prior that the model
// assumes, EP against the sampler, and cavity leave-one-out against refits. Short here; CAVITY_VALIDATE=1 (make
// validate) runs it at full length. What is printed stands in docs/trust.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cavity/fit.hpp"
#include "infer/gibbs.hpp"
#include "model/normal.hpp"
#include "support/ep_path.hpp"
#include "support/tables.hpp"

namespace cavity {
namespace {

bool at_length() { return std::getenv("CAVITY_VALIDATE") != nullptr; }

/// Kolmogorov's test of uniformity: the probability of a larger deviation by chance.
double uniformity(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double deviation = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto k = static_cast<double>(i);
    deviation = std::max({deviation, values[i] - k / n, (k + 1) / n - values[i]});
  }
  const double x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * deviation;
  double p = 0;
  for (int j = 1; j <= 100; ++j) p += (j % 2 == 1 ? 2 : -2) * std::exp(-2.0 * j * j * x * x);
  return std::clamp(p, 0.0, 1.0);
}

/// Place of a true field in EP's posterior of it, the cavity Gaussian tilted by the sample's own label.
double field_rank(double field, double mean, double variance, double noise) {
  const double sd = std::sqrt(variance), below = normal_cdf(-mean / sd), upto = normal_cdf((field - mean) / sd);
  const double total = noise + (1 - 2 * noise) * (1 - below);
  return (field < 0 ? noise * upto : noise * below + (1 - noise) * (upto - below)) / total;
}

/// An event of probability p that did or did not happen, made uniform by chance.
double event_rank(bool happened, double p, Random& random) {
  return happened ? 1 - p * random.uniform() : (1 - p) * random.uniform();
}

struct Ensemble {
  const char* name;
  std::size_t samples, features;
  double density, noise, correlation;
};

/// What EP's feature sites stand for: density x features weights are kept, all sets alike, each drawn from a standard
/// normal. (The paper's prior also fixes their length; labels do not see it, but fields on that sphere have a known
/// scale, and EP's posterior of a field, 1/sqrt(2 kept) wider, is then visibly too wide.)
std::vector<double> prior_weights(const Ensemble& e, Random& random) {
  const auto kept = static_cast<std::size_t>(std::lround(e.density * static_cast<double>(e.features)));
  std::vector<double> w(e.features, 0);
  for (std::size_t l = 0; l < kept; ++l) w[l] = random.normal();
  for (std::size_t l = 0; l + 1 < e.features; ++l) std::swap(w[l], w[l + random.below(e.features - l)]);
  return w;
}

struct Ranks {
  std::vector<double> field, inclusion, most_included, label;
  std::size_t unsettled = 0;
  std::vector<double> said = std::vector<double>(10, 0), came = said, count = said;  // predictive, by tenths
};

void calibrate_once(const Ensemble& e, std::uint64_t seed, Ranks& ranks) {
  Random random(seed, 31);
  constexpr std::size_t fresh = 20;
  FeatureMatrix all = correlated_rows(e.samples + fresh, e.features, e.correlation, random);
  const std::vector<double> w = prior_weights(e, random);
  std::vector<double> field;
  std::vector<std::int8_t> labels;
  for (std::size_t mu = 0; mu < all.rows; ++mu) {
    field.push_back(std::inner_product(w.begin(), w.end(), all.row(mu), 0.0) /
                    std::sqrt(static_cast<double>(e.features)));
    labels.push_back((field[mu] > 0) != random.bernoulli(e.noise) ? 1 : -1);
  }
  FeatureMatrix known(e.samples, e.features), rows(fresh, e.features);
  std::copy_n(all.values.begin(), known.values.size(), known.values.begin());
  std::copy(all.values.end() - static_cast<std::ptrdiff_t>(rows.values.size()), all.values.end(), rows.values.begin());
  const SmallOptions options{.density = e.density, .activation = step(e.noise)};
  const SmallProblem small(known, {labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(e.samples)}, options);
  const Posterior p = ep_down_to(small, 1e-6).posterior;
  if (p.status != Status::converged) {
    ++ranks.unsettled;
    return;
  }
  // One of each kind a data set, so that the ranks are independent.
  const std::size_t mu = random.below(e.samples), l = random.below(e.features);
  ranks.field.push_back(field_rank(labels[mu] * field[mu], p.cavity_mean[mu], p.cavity_variance[mu], e.noise));
  ranks.inclusion.push_back(event_rank(w[l] != 0, p.inclusion[l], random));
  const auto top =
      static_cast<std::size_t>(std::max_element(p.inclusion.begin(), p.inclusion.end()) - p.inclusion.begin());
  ranks.most_included.push_back(event_rank(w[top] != 0, p.inclusion[top], random));
  const std::vector<double> predicted = ep_predict(small, p, rows);
  ranks.label.push_back(event_rank(labels[e.samples] > 0, predicted[0], random));
  for (std::size_t i = 0; i < fresh; ++i) {
    const auto bin = std::min<std::size_t>(9, static_cast<std::size_t>(10 * predicted[i]));
    ranks.said[bin] += predicted[i];
    ranks.came[bin] += labels[e.samples + i] > 0 ? 1 : 0;
    ranks.count[bin] += 1;
  }
}

class Calibration : public testing::TestWithParam<Ensemble> {};

TEST_P(Calibration, RanksAreUniform) {
  const Ensemble& e = GetParam();
  const std::size_t sets = at_length() ? 1000 : 60;
  Ranks ranks;
  for (std::size_t i = 0; i < sets; ++i) calibrate_once(e, i + 1, ranks);
  const double field = uniformity(ranks.field), inclusion = uniformity(ranks.inclusion),
               most_included = uniformity(ranks.most_included), label = uniformity(ranks.label);
  std::cout << fmt::format(
      "calibration | {} | {} x {} | {} sets, {} not converged | p: field {:.3f}, inclusion {:.3f}, most included "
      "{:.3f}, "
      "new label {:.3f}\n",
      e.name, e.samples, e.features, sets, ranks.unsettled, field, inclusion, most_included, label);
  for (std::size_t bin = 0; bin < 10; ++bin)
    if (ranks.count[bin] > 0)
      std::cout << fmt::format("coverage | {} | said {:.3f} | came {:.3f} | of {}\n", e.name,
                               ranks.said[bin] / ranks.count[bin], ranks.came[bin] / ranks.count[bin],
                               ranks.count[bin]);
  EXPECT_LE(static_cast<double>(ranks.unsettled), 0.05 * static_cast<double>(sets));
  // Twelve tests in all: by chance one in eighty runs of new seeds has a p below this.
  for (const double p : {field, inclusion, most_included, label}) EXPECT_GE(p, 0.001);
}

INSTANTIATE_TEST_SUITE_P(Ensembles, Calibration,
                         testing::Values(Ensemble{"independent", 60, 40, 0.3, 0.1, 0},
                                         Ensemble{"wide", 40, 80, 0.2, 0.1, 0},
                                         Ensemble{"correlated 0.7", 60, 40, 0.3, 0.1, 0.7}),
                         [](const auto& chosen) { return std::string(chosen.param.name).substr(0, 4); });

TEST(Truth, EpAgreesWithTheSampler) {
  const std::size_t problems = at_length() ? 24 : 3;
  ThreadPool pool(1);
  std::size_t judged = 0;
  double worst = 0, sum = 0;
  for (std::size_t i = 0; i < problems; ++i) {
    const SmallProblem small = make_small({.samples = 30 + 5 * (i % 5),
                                           .features = 20 + 10 * (i % 4),
                                           .correlation = 0.3 * static_cast<double>(i % 4),
                                           .density = i % 2 == 0 ? 0.2 : 0.3,
                                           .activation = step(i % 3 == 0 ? 0.05 : 0.1),
                                           .intercept = i % 2 == 1,
                                           .seed = 100 + i});
    const EpResult ep = ep_down_to(small);
    ASSERT_EQ(ep.posterior.status, Status::converged) << i;
    GibbsOptions options;
    options.warm_up = 500;
    options.draws = 2500;
    options.prior = ep.posterior.prior;
    const GibbsResult truth = fit_gibbs(small.problem(), options, pool);
    const double inclusion = mean_difference(ep.posterior.inclusion, truth.posterior.inclusion);
    const double loo = mean_difference(ep.posterior.loo_log_probability, truth.posterior.loo_log_probability);
    std::cout << fmt::format(
        "sampler | {} x {} | correlation {:.1f} | inclusion {:.4f} | ln p left out {:.4f} | R-hat {:.3f}\n",
        small.values.rows, small.values.cols, 0.3 * static_cast<double>(i % 4), inclusion, loo,
        truth.diagnostics.max_r_hat);
    if (truth.diagnostics.max_r_hat > 1.1) continue;  // not good enough to judge
    ++judged;
    worst = std::max(worst, inclusion);
    sum += inclusion;
  }
  std::cout << fmt::format("sampler | {} judged | mean {:.4f} | worst {:.4f}\n", judged,
                           sum / static_cast<double>(judged), worst);
  EXPECT_GE(10 * judged, 8 * problems);
  EXPECT_LE(worst, 0.05);
}

TEST(Truth, CavityLeaveOneOutAgreesWithRefits) {
  const std::size_t designs = at_length() ? 24 : 3;
  double sum = 0, worst = 0;
  std::size_t checked = 0, changed = 0;
  for (std::size_t i = 0; i < designs; ++i) {
    const std::size_t features = i % 3 == 0 ? 20 : i % 3 == 1 ? 60 : 200;
    Dataset data = test::skewed_table(30 + 10 * (i % 3), features, i + 1);
    std::vector<float> first;
    for (std::size_t mu = 0; mu < data.samples(); ++mu) first.push_back(data.features.dense().row(mu)[0]);
    std::vector<float> sorted = first;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t mu = 0; mu < data.samples(); ++mu)  // the first feature decides, but for every ninth sample
      data.classes[mu] = (first[mu] > sorted[sorted.size() / 2]) != (mu % 9 == 4) ? 1 : 0;
    FitOptions options;
    options.grid.density = {std::min(0.5, 15.0 / static_cast<double>(features))};
    options.grid.noise = {0.08};
    options.selection.check_loo = 10;
    options.threads = 1;
    const Fit result = fit(data, options);
    std::cout << fmt::format("refits | {} x {} | {} | mean {:.4f} | largest {:.4f} | labels changed {} of {}\n",
                             data.samples(), features, result.questions[0].grid[0].status,
                             result.questions[0].loo_check->mean_difference,
                             result.questions[0].loo_check->largest_difference,
                             result.questions[0].loo_check->changed_labels, result.questions[0].loo_check->checked);
    sum += result.questions[0].loo_check->mean_difference;
    worst = std::max(worst, result.questions[0].loo_check->largest_difference);
    checked += result.questions[0].loo_check->checked;
    changed += result.questions[0].loo_check->changed_labels;
  }
  std::cout << fmt::format("refits | {} designs, {} refits | mean {:.4f} | largest {:.4f} | labels changed {}\n",
                           designs, checked, sum / static_cast<double>(designs), worst, changed);
  EXPECT_LE(sum / static_cast<double>(designs), 0.03);
  EXPECT_LE(20 * changed, checked);
}

}  // namespace
}  // namespace cavity
