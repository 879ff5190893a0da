// Halves of the samples, and what they say of features: balanced, the same for any threads, equal to cold solves,
// within sampling error of other halves, and a planted feature found.
#include "cavity/stability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "cavity/errors.hpp"
#include "cavity/simulate.hpp"
#include "fit/answer.hpp"
#include "fit/half_fit.hpp"
#include "fit/halves.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

TEST(Halves, HaveNoSampleInCommonAndHalfOfEachClass) {
  std::vector<std::int8_t> labels(31, -1);
  for (std::size_t i = 0; i < 12; ++i) labels[2 * i] = 1;
  const HalfPair pair = draw_halves(labels, nullptr, Random(5, 0));
  std::set<std::size_t> all(pair.first.begin(), pair.first.end());
  all.insert(pair.second.begin(), pair.second.end());
  EXPECT_EQ(all.size(), 30U);  // of 19 samples of a class one is in neither
  for (const auto& half : {pair.first, pair.second}) {
    EXPECT_EQ(half.size(), 15U);
    EXPECT_EQ(std::ranges::count_if(half, [&](std::size_t mu) { return labels[mu] > 0; }), 6);
    EXPECT_TRUE(std::ranges::is_sorted(half));
  }
}

TEST(Halves, KeepGroupsOnOneSide) {
  std::vector<std::int8_t> labels;
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) {
    labels.push_back(i / 4 % 2 == 0 ? 1 : -1);
    names.push_back(std::to_string(i / 4));
  }
  const SampleGroups groups = gather_groups(names);
  const HalfPair pair = draw_halves(labels, &groups, Random(5, 0));
  EXPECT_EQ(pair.first.size() + pair.second.size(), 40U);
  std::set<std::size_t> first, second;
  for (const std::size_t mu : pair.first) first.insert(groups.of[mu]);
  for (const std::size_t mu : pair.second) second.insert(groups.of[mu]);
  EXPECT_EQ(first.size(), 5U);
  EXPECT_EQ(second.size(), 5U);
}

Dataset toy() { return simulate({.samples = 100, .features = 200, .teacher = 0.015, .noise = 0.02, .seed = 8}).data; }

StabilityOptions quick() {
  StabilityOptions out;
  out.fit.grid.density = {0.1, 0.03};
  out.fit.grid.noise = {0.05};
  out.fit.threads = 2;
  out.pairs = 15;
  out.selected = 5;
  return out;
}

TEST(Stability, FindsTheFeaturesThatDecide) {
  const Simulation made = simulate({.samples = 100, .features = 200, .teacher = 0.015, .noise = 0.02, .seed = 8});
  const Stability s = stability(made.data, quick());
  EXPECT_EQ(s.halves, 30U);
  EXPECT_EQ(s.failed, 0U);
  EXPECT_NEAR(s.mean_selected, 5, 1e-9);
  EXPECT_NEAR(s.most_expected_false, 25 / (200 * 0.2), 1e-9);
  ASSERT_FALSE(s.stable.empty());
  EXPECT_NE(made.teacher[s.stable.front()], 0);
  EXPECT_GT(s.share[s.stable.front()], 0.9);
  EXPECT_TRUE(std::ranges::is_sorted(s.stable, std::greater{}, [&](std::uint32_t l) { return s.share[l]; }));
  for (std::size_t l = 0; l < 200; ++l) EXPECT_LE(std::abs(s.mean[l] - 0.5), 0.5);
}

TEST(Stability, HasTheSameBitsForAnyNumberOfThreads) {
  StabilityOptions options = quick();
  options.pairs = 4;
  const Stability two = stability(toy(), options);
  options.fit.threads = 1;
  const Stability one = stability(toy(), options);
  EXPECT_EQ(one.mean, two.mean);
  EXPECT_EQ(one.sd, two.sd);
  EXPECT_EQ(one.share, two.share);
}

TEST(Stability, OtherHalvesSayTheSameWithinSamplingError) {
  StabilityOptions options = quick();
  options.pairs = 30;
  const Stability a = stability(toy(), options);
  options.fit.solver.seed = 77;
  const Stability b = stability(toy(), options);
  EXPECT_NE(a.share, b.share);
  double squares = 0, expected = 0;
  for (std::size_t l = 0; l < a.share.size(); ++l) {
    const double p = 0.5 * (a.share[l] + b.share[l]);
    squares += (a.share[l] - b.share[l]) * (a.share[l] - b.share[l]);
    expected += 2 * p * (1 - p) / 60;  // were all 60 halves independent
  }
  EXPECT_LT(squares, 2 * expected);
  EXPECT_GT(squares, 0.2 * expected);
}

TEST(Stability, WarmHalvesAreColdOnes) {
  FitOptions options = quick().fit;
  double difference = 0;
  ThreadPool pool(1);
  const FitTable table = prepare_table(toy(), options, Shards::whole(), pool);
  const Answer answer = answer_questions(table, options, pool).front();
  ASSERT_NE(answer.cell(answer.mixed.heaviest).state, nullptr);
  Answer cold = answer;
  for (SolvedCell& cell : cold.cells.list) cell.state = nullptr;
  for (std::uint64_t k = 0; k < 4; ++k) {
    const std::vector<std::size_t> half = draw_halves(answer.labels, nullptr, Random(3, k)).first;
    const auto warm = half_inclusion(table, answer, options, half),
               from_nothing = half_inclusion(table, cold, options, half);
    ASSERT_TRUE(warm && from_nothing);
    for (std::size_t l = 0; l < warm->size(); ++l)
      difference = std::max(difference, std::abs((*warm)[l] - (*from_nothing)[l]));
  }
  EXPECT_LT(difference, 1e-4);
  EXPECT_GT(difference, 0);
}

TEST(Stability, AGroupIsStableWhereItsMembersAreNot) {
  Simulation made = simulate({.samples = 100, .features = 60, .teacher = 0.02, .noise = 0, .seed = 2});
  const auto real = static_cast<std::size_t>(std::ranges::find_if(made.teacher, [](double w) { return w != 0; }) -
                                             made.teacher.begin());
  FeatureMatrix& x = made.data.features.dense();
  Random random(4);
  const std::size_t copy = real == 7 ? 8 : 7;
  for (std::size_t mu = 0; mu < 100; ++mu)
    x.row(mu)[copy] = x.row(mu)[real] + static_cast<float>(0.1 * random.normal());
  StabilityOptions options = quick();
  options.fit.preprocessing.transform = PreprocessingOptions::Choice::none;
  options.selected = 1;
  const Stability s = stability(std::move(made.data), options);
  ASSERT_FALSE(s.groups.empty());
  const GroupStability& group = s.groups.front();
  EXPECT_EQ(group.features.size(), 2U);
  EXPECT_GT(group.share, 0.95);
  EXPECT_NEAR(group.share, s.share[real] + s.share[copy], 1e-9);  // one is selected at a time
}

TEST(Stability, SelectsByRate) {
  StabilityOptions options = quick();
  options.pairs = 4;
  options.rate = 0.2;
  const Stability strict = stability(toy(), options);
  options.rate = 0.6;
  const Stability loose = stability(toy(), options);
  EXPECT_LT(strict.mean_selected, loose.mean_selected);
}

TEST(Stability, RefusesWhatItCannotDo) {
  const auto refuse = [](auto change, const std::string& part) {
    StabilityOptions options = quick();
    change(options);
    test::expect_error<UsageError>([&] { stability(toy(), options); }, {part});
  };
  refuse([](StabilityOptions& o) { o.pairs = 0; }, "`pairs`");
  refuse([](StabilityOptions& o) { o.selected = 0; }, "`selected`");
  refuse([](StabilityOptions& o) { o.rate = 1; }, "`fdr`");
  refuse([](StabilityOptions& o) { o.threshold = 0.5; }, "`threshold`");
  refuse([](StabilityOptions& o) { o.fit.preprocessing.whiten = true; }, "`whiten`");
}

TEST(Stability, GoesOnFromFinishedHalves) {
  const test::TempDir folder;
  StabilityOptions options = quick();
  options.pairs = 5;
  options.fit.threads = 1;
  const Stability whole = stability(toy(), options);
  options.fit.checkpoint = {folder.path("c"), 0, false};
  options.progress = [](std::size_t done, std::size_t) { return done < 4; };
  EXPECT_THROW(stability(toy(), options), Interrupted);
  options.progress = nullptr;
  test::expect_error<UsageError>([&] { stability(toy(), options); }, {"`resume`"});
  options.fit.checkpoint.resume = true;
  options.pairs = 3;
  stability(toy(), options);  // a shorter run leaves its halves to the longer one
  options.pairs = 5;
  const Stability resumed = stability(toy(), options);
  EXPECT_EQ(resumed.mean, whole.mean);
  EXPECT_EQ(resumed.share, whole.share);
  std::filesystem::remove(folder.path("c"));
  options.fit.solver.seed = 9;
  test::expect_error<UsageError>([&] { stability(toy(), options); }, {"c.halves", "other data or options"});
  remove_checkpoint(options);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path(".")));
}

TEST(Stability, StopsWhenAsked) {
  StabilityOptions options = quick();
  options.progress = [](std::size_t done, std::size_t) { return done < 3; };
  EXPECT_THROW(stability(toy(), options), Interrupted);
}

}  // namespace
}  // namespace cavity
