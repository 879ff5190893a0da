#include <gtest/gtest.h>

#include "base/random.hpp"
#include "cavity/compare.hpp"
#include "cavity/errors.hpp"
#include "cavity/simulate.hpp"
#include "compare/split_log.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

std::vector<CompareMethod> methods() { return {make_compare_method("fda", {}), make_compare_method("fda-shrunk", {})}; }

CompareOptions few() {
  CompareOptions options;
  options.splits = 6;
  options.train = 30;
  return options;
}

std::vector<Dataset> tables() { return {simulate({50, 20, 0.2, 0.05, 3}).data}; }

TEST(Compare, DoesNotDependOnThreadsOrOnWhereItWasCut) {
  CompareOptions options = few();
  options.threads = 1;
  const auto all = compare(tables(), methods(), options);
  ASSERT_EQ(all.size(), 12u);
  options.threads = 3;
  EXPECT_EQ(compare(tables(), methods(), options), all);
  options.skip = {1, 2, 4};
  const auto rest = compare(tables(), methods(), options);
  ASSERT_EQ(rest.size(), 6u);
  EXPECT_EQ(rest[0], all[4]);
  EXPECT_EQ(rest[2], all[8]);
}

TEST(Compare, AMethodWithoutAnswerIsCountedAsFailed) {
  auto broken = tables();
  for (auto& value : broken[0].features.dense().values) value = 1;  // no feature is left
  for (const SplitResult& r : compare(broken, {make_compare_method("sbl", {})}, few())) {
    EXPECT_EQ(r.status, "failed");
    EXPECT_EQ(r.test, 20u);
    EXPECT_GT(r.error, 0.2);
  }
}

// Twelve patients of eight samples each, a patient's label by chance: known by their other samples, not by anything
// else.
std::vector<Dataset> visits() {
  Dataset data = simulate({96, 30, 0.2, 0.05, 3}).data;
  Random random(8);
  FeatureMatrix& values = data.features.dense();
  data.groups.clear();
  for (std::size_t i = 0; i < 96; ++i) {
    const std::size_t patient = i / 8;
    for (std::size_t j = 0; j < values.cols; ++j)
      values.row(i)[j] = values.row(8 * patient)[j] + 0.1F * static_cast<float>(random.normal());
    data.classes[i] = patient % 2 == 0 ? 1 : 0;
    data.groups.push_back(std::to_string(patient));
  }
  return {data};
}

TEST(Compare, SamplesOfAPatientAreNotTestedByEachOther) {
  CompareOptions options;
  options.splits = 4;
  options.stratified = true;
  MethodSettings settings;
  settings.noise = {0.1};
  const std::vector<CompareMethod> both = {make_compare_method("sbc-ep", settings), make_compare_method("fda", {})};
  auto tables = visits();
  const auto grouped = summarise(compare(tables, both, options), both);
  tables.front().groups.clear();
  const auto blind = summarise(compare(tables, both, options), both);
  for (std::size_t k : {0, 1}) {
    EXPECT_EQ(grouped[k].failed, 0u);
    EXPECT_LT(blind[k].mean, 0.05) << blind[k].method;
    EXPECT_GT(grouped[k].mean, 0.25) << grouped[k].method;
  }
}

TEST(Compare, RefusesSizesThatLeaveNothingToTest) {
  CompareOptions options = few();
  for (const std::size_t train : {1, 50, 60}) {
    options.train = train;
    test::expect_error<UsageError>([&] { compare(tables(), methods(), options); }, {"training samples out of 50"});
  }
  test::expect_error<UsageError>([] { make_compare_method("svm", {}); }, {"svm", "sbc-ep"});
}

TEST(SplitLog, ResumesWholeSplitsOnly) {
  const test::TempDir folder;
  const std::string path = folder.path("log.csv");
  const auto all = compare(tables(), methods(), few());
  {
    SplitLog log(path, {{"seed", 1}}, 2, false);
    log.append({all[2], all[3]});
    log.append({all[0], all[1]});
    log.append({all[4]});
  }
  std::string text = test::read_file(path);
  folder.write("log.csv", text + "6,fda,20,0.2");  // killed within a line
  SplitLog log(path, {{"seed", 1}}, 2, true);
  EXPECT_EQ(log.done(), std::vector<SplitResult>(all.begin(), all.begin() + 4));
  EXPECT_EQ(log.done_splits(), (std::vector<std::size_t>{1, 2}));
  log.finish(all);
  EXPECT_EQ(test::read_file(path), split_csv({{"seed", 1}}, all));
}

TEST(SplitLog, RefusesOtherSettingsOtherFilesAndOverwriting) {
  const test::TempDir folder;
  const std::string path = folder.path("log.csv");
  { SplitLog log(path, {{"seed", 1}, {"splits", 5}}, 2, false); }
  test::expect_error<UsageError>([&] { SplitLog(path, {{"seed", 1}}, 2, false); }, {"`resume`"});
  test::expect_error<UsageError>([&] { SplitLog(path, {{"seed", 2}}, 2, true); }, {"seed was 1, is 2"});
  { SplitLog more(path, {{"seed", 1}, {"splits", 9}}, 2, true); }
  folder.write("log.csv", "a,b\n1,2\n");
  test::expect_error<InputError>([&] { SplitLog(path, {{"seed", 1}}, 2, true); }, {"line 1"});
  folder.write("log.csv", "# cavity compare " + std::string(500000, '[') + "\n");
  test::expect_error<InputError>([&] { SplitLog(path, {{"seed", 1}}, 2, true); }, {"line 1"});
}

TEST(SplitLog, ASplitWithoutAnErrorIsDoneAgain) {
  const test::TempDir folder;
  const std::string path = folder.path("log.csv");
  { SplitLog log(path, {{"seed", 1}}, 1, false); }
  const std::string head = test::read_file(path);
  folder.write("log.csv", head +
                              "1,sbc,20,nan,0.3,converged,1,1,0.1,0.1\n2,sbc,20,-1,0.3,converged,1,1,0.1,0.1\n"
                              "3,sbc,20,0.25,0.3,converged,1,1,0.1,0.1\n");
  EXPECT_EQ(SplitLog(path, {{"seed", 1}}, 1, true).done_splits(), (std::vector<std::size_t>{3}));
}

}  // namespace
}  // namespace cavity
