// Several blocks of features: their scales, what is told of samples that lack one, what each adds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "fit/block_kernels.hpp"
#include "fit/fit_table.hpp"
#include "infer/kernel_ep.hpp"
#include "model/activation_kind.hpp"
#include "prepare/block_parts.hpp"

namespace cavity {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

/// Two blocks, `told` + `noise` features, the label the sign of a sum over the first; the second block's features are
/// sums of the first's where they are `shared`.
Dataset two_blocks(std::size_t samples, std::size_t told, std::size_t noise, bool shared = false,
                   std::uint64_t seed = 1) {
  Random random(seed);
  FeatureMatrix x(samples, told + noise);
  Dataset out;
  for (std::size_t i = 0; i < samples; ++i) {
    double sum = 0;
    for (std::size_t l = 0; l < x.cols; ++l) x.row(i)[l] = static_cast<float>(random.normal());
    for (std::size_t l = 0; l < told; ++l) sum += x.row(i)[l];
    for (std::size_t l = told; shared && l < x.cols; ++l)
      x.row(i)[l] = 3 * x.row(i)[l % told] - x.row(i)[(l + 1) % told] + 1;
    out.classes.push_back(sum > 0 ? 1 : 0);
    out.sample_names.push_back("s" + std::to_string(i));
  }
  out.features = std::move(x);
  for (std::size_t l = 0; l < told + noise; ++l) out.feature_names.push_back("g" + std::to_string(l));
  out.class_names = {"n", "t"};
  out.blocks = {{"told", told}, {"noise", noise}};
  return out;
}

FitOptions quick() {
  FitOptions out;
  out.grid.density = {0.5};
  out.grid.noise = {0.02};
  out.threads = 1;
  return out;
}

Dataset without_labels(Dataset data) {
  data.classes.clear();
  return data;
}

TEST(BlockKernels, ScalesAreWhereNothingIsGained) {
  ThreadPool pool(1);
  Random random(3);
  const Eigen::Index samples = 40;
  BlockKernels kernels;
  Matrix first;
  for (const Eigen::Index width : {Eigen::Index{4}, Eigen::Index{60}}) {
    const Matrix x = Matrix::NullaryExpr(samples, width, [&] { return random.normal(); });
    if (kernels.gram.empty()) first = x;
    kernels.gram.push_back(x * x.transpose() / static_cast<double>(width));
    kernels.features.push_back(static_cast<double>(width));
  }
  kernels.level = Matrix::Constant(samples, samples, 4.0);
  BlockLabels labels{{{}}, nullptr};
  for (Eigen::Index i = 0; i < samples; ++i)
    labels.questions[0].push_back(first(i, 0) + first(i, 1) + 0.5 * random.normal() > 0 ? 1 : -1);
  const std::vector<double> found = find_block_scales(kernels, labels, pool);
  // The evidence and the prior of the header, written down again.
  const auto value = [&](const std::vector<double>& t) {
    const Matrix k = std::exp(t[0]) * kernels.gram[0] + std::exp(t[1]) * kernels.gram[1] + kernels.level;
    const KernelFit fit = fit_kernel_ep({k, labels.questions[0], make_activation(ActivationKind::probit, 1.0)},
                                        {.tolerance = 1e-8, .max_updates = 500}, pool);
    const double a = t[0] - std::log(4.0 / 64), b = t[1] - std::log(60.0 / 64), mean = (a + b) / 2;
    return fit.log_evidence - ((a - mean) * (a - mean) + (b - mean) * (b - mean)) / 32 - mean * mean / 8;
  };
  const double best = value(found);
  for (const double step : {-0.4, 0.4})
    for (std::size_t b = 0; b < 2; ++b) {
      std::vector<double> moved = found;
      moved[b] += step;
      EXPECT_LT(value(moved), best + 1e-3) << b << " " << step;
    }
  EXPECT_GT(best, value({std::log(4.0 / 64), std::log(60.0 / 64)}));
  EXPECT_GT(found[0], found[1] + 1);  // the labels are of the narrow one
}

TEST(BlockKernels, FactorsKeepTheMeanSquareOfAllInputs) {
  BlockKernels kernels;
  kernels.features = {20, 500};
  const std::vector<double> factors = block_factors(kernels, std::vector{1.0, -2.0});
  EXPECT_NEAR(20 * factors[0] * factors[0] + 500 * factors[1] * factors[1], 520, 1e-9);
  EXPECT_NEAR(std::log(20 * factors[0] * factors[0] / (500 * factors[1] * factors[1])), 3, 1e-9);
  const std::vector<double> plain = block_factors(kernels, std::vector{std::log(20.0 / 520), std::log(500.0 / 520)});
  EXPECT_NEAR(plain[0], 1, 1e-12);
  EXPECT_NEAR(plain[1], 1, 1e-12);
}

TEST(BlockFactors, SayHowManyFeaturesCount) {
  Preprocessing p;
  for (std::uint32_t l = 0; l < 520; ++l) p.kept.push_back(l);
  EXPECT_EQ(features_that_count(p), 520U);
  p.blocks = {{"small", 20, Transform::none, 1}, {"large", 500, Transform::none, 1}};
  EXPECT_EQ(features_that_count(p), 520U);
  p.blocks[1].factor = 1e-6;
  EXPECT_EQ(features_that_count(p), 20U);
}

TEST(BlocksFit, OneBlockIsTheTableItself) {
  Dataset one = two_blocks(40, 5, 30), plain = one;
  one.blocks = {{"all", 35}};
  plain.blocks.clear();
  const Fit a = fit(one, quick()), b = fit(plain, quick());
  EXPECT_EQ(a.loo.probability, b.loo.probability);
  EXPECT_FALSE(a.blocks);
  EXPECT_TRUE(a.model.preprocessing.blocks.empty());
}

TEST(BlocksFit, AWideBlockOfNoiseDoesNotDrownANarrowOneThatTells) {
  const Dataset data = two_blocks(60, 8, 600);
  Dataset plain = data;
  plain.blocks.clear();
  const Fit several = fit(data, quick()), one = fit(plain, quick());
  EXPECT_LT(several.loo.log_loss, one.loo.log_loss - 0.1);
  ASSERT_TRUE(several.blocks && several.blocks->judged);
  const BlockReport& report = *several.blocks;
  EXPECT_GT(report.blocks[0].scale, 5 * report.blocks[1].scale);
  EXPECT_NEAR(report.blocks[0].field_share + report.blocks[1].field_share, 1, 1e-9);
  EXPECT_GT(report.blocks[0].field_share, 0.8);
  EXPECT_TRUE(report.blocks[0].adds);
  EXPECT_FALSE(report.blocks[1].adds);
  EXPECT_NEAR(report.redundancy[0], 1, 1e-12);
  EXPECT_NEAR(report.blocks[0].alone.log_loss, report.blocks[1].without.log_loss, 1e-12);
}

TEST(BlocksFit, TheirOrderDoesNotMatter) {
  const Dataset data = two_blocks(40, 6, 80);
  Dataset turned = data;
  FeatureMatrix x(40, 86);
  for (std::size_t i = 0; i < 40; ++i) {
    const float* row = data.features.dense().row(i);
    std::copy_n(row + 6, 80, x.row(i));
    std::copy_n(row, 6, x.row(i) + 80);
  }
  std::rotate(turned.feature_names.begin(), turned.feature_names.begin() + 6, turned.feature_names.end());
  std::reverse(turned.blocks.begin(), turned.blocks.end());
  turned.features = std::move(x);
  const Fit a = fit(data, quick()), b = fit(turned, quick());
  for (std::size_t i = 0; i < a.loo.probability.size(); ++i)
    EXPECT_NEAR(a.loo.probability[i], b.loo.probability[i], 2e-3) << i;
}

TEST(BlocksFit, WhoLacksABlockIsToldItsFeaturesByTheOthers) {
  const Dataset whole = two_blocks(60, 5, 20, true);
  Dataset partial = whole;
  for (std::size_t i = 0; i < 15; ++i) std::fill_n(partial.features.dense().row(i) + 5, 20, nan_value);
  ThreadPool pool(1);
  const FitTable table = prepare_table(partial, quick(), Shards::whole(), pool);
  ASSERT_TRUE(table.blocks);
  EXPECT_EQ(table.blocks->lacking, (std::vector<std::size_t>{0, 15}));
  double missed = 0, spread = 0;
  for (std::size_t i = 0; i < 15; ++i)
    for (std::size_t j = 5; j < 25; ++j) {
      const double truth = std::as_const(whole.features).dense().row(i)[j];
      missed += std::pow(table.prepared->features.dense().row(i)[j] - truth, 2);
      spread += std::pow(table.prepared->preprocessing.centre[j] - truth, 2);
    }
  EXPECT_LT(missed, 0.05 * spread);
}

TEST(BlocksFit, ModelsKeepTheirBlocksAndPredictSamplesThatLackOne) {
  Dataset data = two_blocks(50, 6, 60, true);
  for (std::size_t i = 0; i < 10; ++i) std::fill_n(data.features.dense().row(i * 5) + 6, 60, nan_value);
  const Fit made = fit(data, quick());
  const Model kept = model_from_bytes(model_bytes(made.model));
  ASSERT_EQ(kept.preprocessing.blocks.size(), 2U);
  EXPECT_EQ(kept.preprocessing.blocks[1].name, "noise");
  EXPECT_EQ(kept.preprocessing.blocks[1].features, 60U);
  EXPECT_EQ(kept.preprocessing.blocks[0].factor, made.model.preprocessing.blocks[0].factor);
  Dataset fresh = without_labels(two_blocks(30, 6, 60, true, 9));
  const Prediction whole = predict(kept, fresh, 1);
  EXPECT_EQ(whole.probabilities, predict(made.model, fresh, 1).probabilities);
  for (std::size_t i = 0; i < 30; ++i) std::fill_n(fresh.features.dense().row(i) + 6, 60, nan_value);
  const Prediction partial = predict(kept, fresh, 1);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(partial.of(1)[i], whole.of(1)[i], 0.15) << i;
}

TEST(BlocksFit, NewRowsArePreparedAsTrainingRowsWere) {
  Dataset data = two_blocks(40, 60, 70);  // wide enough for ranks, and one block in other units
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t l = 0; l < 60; ++l)
      data.features.dense().row(i)[l] = std::exp(2 * data.features.dense().row(i)[l]);
  ThreadPool pool(1);
  FitOptions options = quick();
  options.preprocessing.transform = PreprocessingOptions::Choice::rank;
  const FitTable table = prepare_table(data, options, Shards::whole(), pool);
  const Applied again = apply(table.prepared->preprocessing, without_labels(data), pool);
  EXPECT_EQ(again.features.dense().values, table.prepared->features.dense().values);
  EXPECT_EQ(again.row_scale, table.prepared->row_scale);
}

}  // namespace
}  // namespace cavity
