// EP's inclusion and predictive probabilities against the sampler's at the same prior, on independent, correlated and
// real features.
#include <gtest/gtest.h>

#include <filesystem>

#include "cavity/read.hpp"
#include "infer/gibbs.hpp"
#include "support/ep_path.hpp"
#include "support/sides.hpp"

namespace cavity {
namespace {

constexpr int chains = 4;

// Mean over the draws of P(y = +1 | x), a new row each.
struct Prediction {
  const FeatureMatrix& rows;
  const AnyActivation& activation;
  std::vector<std::vector<double>> sum{chains, std::vector<double>(rows.rows, 0)};
  std::vector<double> draws = std::vector<double>(chains, 0);

  void add(const GibbsDraw& draw) {
    const auto chain = static_cast<std::size_t>(draw.chain);
    const double root = std::sqrt(static_cast<double>(rows.cols));
    for (std::size_t mu = 0; mu < rows.rows; ++mu) {
      double field = 0;
      for (std::size_t l = 0; l < rows.cols; ++l) field += rows.row(mu)[l] * draw.weights[l];
      field /= root;
      if (!draw.covariate_weights.empty()) field += draw.covariate_weights[0];
      sum[chain][mu] += std::exp(log_likelihood(activation, field));
    }
    draws[chain] += 1;
  }
  std::vector<double> mean() const {
    std::vector<double> out(rows.rows, 0);
    for (std::size_t chain = 0; chain < chains; ++chain)
      for (std::size_t mu = 0; mu < rows.rows; ++mu) out[mu] += sum[chain][mu] / (chains * draws[chain]);
    return out;
  }
};

void compare(const SmallProblem& small, const FeatureMatrix& rows, int draws) {
  const EpResult ep = ep_down_to(small);
  ASSERT_EQ(ep.posterior.status, Status::converged) << ep.posterior.residual;
  ThreadPool pool(2);
  GibbsOptions options;
  options.chains = chains;
  options.warm_up = draws / 5;
  options.draws = draws;
  options.prior = ep.posterior.prior;
  Prediction prediction{rows, small.activation};
  options.observer = [&](const GibbsDraw& draw) { prediction.add(draw); };
  const GibbsResult truth = fit_gibbs(small.problem(), options, pool);
  EXPECT_LT(truth.diagnostics.max_r_hat, 1.1) << "the sampler is not good enough to judge";
  const double inclusion = mean_difference(ep.posterior.inclusion, truth.posterior.inclusion);
  const double probability = mean_difference(ep_predict(small, ep.posterior, rows), prediction.mean());
  EXPECT_LE(inclusion, 0.02);
  EXPECT_LE(probability, 0.03);
  const std::vector<double>& error = truth.diagnostics.inclusion_error;
  testing::Test::RecordProperty("r_hat", std::to_string(truth.diagnostics.max_r_hat));
  std::cout << "inclusion differs by " << inclusion << " (the sampler's error "
            << std::accumulate(error.begin(), error.end(), 0.0) / static_cast<double>(error.size())
            << "), probability by " << probability << ", R-hat " << truth.diagnostics.max_r_hat << ", effective draws "
            << truth.diagnostics.min_effective_draws << '\n';
}

void compare_simulated(const SmallOptions& options, int draws) {
  Random random(options.seed, 78);
  compare(make_small(options), correlated_rows(50, options.features, options.correlation, random), draws);
}

TEST(EpAgainstGibbs, IndependentFeatures) {
  compare_simulated({.samples = 40, .features = 60, .density = 0.2}, 2500);
  compare_simulated({.samples = 60, .features = 30, .density = 0.3, .seed = 2}, 2500);
  compare_simulated({.samples = 50, .features = 100, .density = 0.1, .intercept = true, .seed = 3}, 2500);
  compare_simulated({.samples = 40, .features = 40, .density = 0.2, .activation = probit(0.5), .seed = 4}, 2500);
}

TEST(EpAgainstGibbs, CorrelatedFeatures) {
  compare_simulated({.samples = 40, .features = 60, .correlation = 0.9, .density = 0.2, .seed = 5}, 2500);
  compare_simulated({.samples = 60, .features = 100, .correlation = 0.9, .density = 0.1, .intercept = true, .seed = 6},
                    2500);
  compare_simulated({.samples = 50,
                     .features = 40,
                     .correlation = 0.9,
                     .density = 0.2,
                     .activation = LogisticActivation{0.3},
                     .seed = 7},
                    2500);
}

// Every k-th gene, standardised over all samples; the first 45 samples train, in an order that mixes the classes.
void compare_genes(const std::string& name, std::size_t features, const SmallOptions& options) {
  const std::string path = std::string(CAVITY_DATA_DIR) + "/" + name + ".csv.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const Dataset data = read_dataset(path);
  const std::vector<std::int8_t> all = test::sides(data);
  const std::size_t samples = data.samples(), train = 45;
  std::vector<std::size_t> order(samples);
  std::iota(order.begin(), order.end(), 0);
  Random random(9);
  for (std::size_t i = 0; i + 1 < samples; ++i) std::swap(order[i], order[i + random.below(samples - i)]);
  FeatureMatrix known(train, features), rows(samples - train, features);
  std::vector<std::int8_t> labels;
  for (std::size_t i = 0; i < train; ++i) labels.push_back(all[order[i]]);
  for (std::size_t l = 0; l < features; ++l) {
    const std::size_t gene = l * (data.features.cols() / features);
    double mean = 0, square = 0;
    for (std::size_t mu = 0; mu < samples; ++mu)
      mean += data.features.dense().row(mu)[gene] / static_cast<double>(samples);
    for (std::size_t mu = 0; mu < samples; ++mu) square += std::pow(data.features.dense().row(mu)[gene] - mean, 2);
    const double sd = std::sqrt(square / static_cast<double>(samples));
    for (std::size_t i = 0; i < samples; ++i)
      (i < train ? known.row(i) : rows.row(i - train))[l] =
          sd > 0 ? static_cast<float>((data.features.dense().row(order[i])[gene] - mean) / sd) : 0;
  }
  scale_rows(known);
  scale_rows(rows);
  compare(SmallProblem(known, labels, options), rows, 2000);
}

TEST(EpAgainstGibbs, Genes) {
  compare_genes("colon", 80, {.density = 0.15, .activation = step(0.08), .intercept = true});
  compare_genes("leukemia", 60, {.density = 0.2, .activation = step(0.05), .intercept = true});
  compare_genes("prostate", 60, {.density = 0.2, .activation = step(0.1), .intercept = true});
}

}  // namespace
}  // namespace cavity
