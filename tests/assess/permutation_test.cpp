// The permutation test: as often small as it says where there is nothing, small where there is something.
#include "assess/permutation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/random.hpp"
#include "cavity/read.hpp"
#include "prepare/make_design.hpp"

namespace cavity {
namespace {

using Classes = std::vector<std::uint32_t>;

struct Table {
  Matrix x, covariates;
  Classes classes;
  SampleGroups groups{};
};

Matrix normal(Eigen::Index rows, Eigen::Index cols, Random& random) {
  Matrix out(rows, cols);
  for (double& one : out.reshaped()) one = random.normal();
  return out;
}

/// Features that know nothing of two classes.
Table noise(Eigen::Index samples, Eigen::Index features, std::uint64_t seed, std::size_t of_three = 1) {
  Random random(seed, 5);
  Table out{normal(samples, features, random), Matrix::Ones(samples, 1), {}};
  for (Eigen::Index i = 0; i < samples; ++i) out.classes.push_back(i % 3 < static_cast<Eigen::Index>(of_three) ? 1 : 0);
  return out;
}

/// The first features of class 1 lie higher.
Table planted(Eigen::Index samples, Eigen::Index features, Eigen::Index relevant, double shift, std::uint64_t seed) {
  Table out = noise(samples, features, seed);
  for (Eigen::Index i = 0; i < samples; ++i)
    out.x.row(i).head(relevant).array() += shift * out.classes[static_cast<std::size_t>(i)];
  return out;
}

PermutationAnswer ask(const Table& table, const PermutationOptions& options = {}, unsigned threads = 1) {
  ThreadPool pool(threads);
  const Matrix centred = table.x.rowwise() - table.x.colwise().mean();
  const Matrix kernel = centred * centred.transpose();
  const std::uint32_t classes = 1 + *std::ranges::max_element(table.classes);
  return permutation_test({kernel, table.covariates, table.classes, std::max(2U, classes),
                           table.groups.of.empty() ? nullptr : &table.groups},
                          options, pool);
}

PermutationTest test(const Table& table, const PermutationOptions& options = {}, unsigned threads = 1) {
  const PermutationAnswer answer = ask(table, options, threads);
  EXPECT_TRUE(answer.test) << answer.reason;
  return answer.test.value_or(PermutationTest{});
}

constexpr double few = 2e7;  // operations: 99 to 999 permutations of these tables

struct Small {
  double below_05 = 0, below_20 = 0;
};

template <class Make>
Small share_of_small(int tables, double operations, const Make& make) {
  Small out;
  for (int i = 0; i < tables; ++i) {
    const double p = test(make(static_cast<std::uint64_t>(i)), {1, operations}).p;
    out.below_05 += p <= 0.05 ? 1.0 / tables : 0;
    out.below_20 += p <= 0.2 ? 1.0 / tables : 0;
  }
  return out;
}

TEST(Permutation, IsAsOftenSmallAsItSaysWhereThereIsNothing) {
  const Small got = share_of_small(200, few, [](std::uint64_t seed) { return noise(30, 60, seed); });
  EXPECT_NEAR(got.below_05, 0.05, 0.03);
  EXPECT_NEAR(got.below_20, 0.2, 0.06);
}

TEST(Permutation, IsSmallWhereManyFeaturesTellTheClassesApart) {
  const PermutationTest got = test(planted(60, 300, 30, 1, 1));
  EXPECT_EQ(got.permutations, 999U);
  EXPECT_DOUBLE_EQ(got.p, 0.001);
  EXPECT_LT(got.statistic, got.expected - 0.1);
  EXPECT_NEAR(got.expected, 0.64, 0.1);  // guessing: 0.637
}

TEST(Permutation, SampleOrderAndScaleDoNotMatter) {
  const Table table = planted(40, 100, 10, 0.6, 2);
  Table moved = table;
  for (Eigen::Index i = 0; i < 40; ++i) {
    moved.x.row(i) = 100 * table.x.row((7 * i + 3) % 40);
    moved.classes[static_cast<std::size_t>(i)] = table.classes[static_cast<std::size_t>((7 * i + 3) % 40)];
  }
  const PermutationTest a = test(table), b = test(moved);
  EXPECT_NEAR(a.statistic, b.statistic, 1e-9);
  EXPECT_NEAR(a.expected, b.expected, 0.01);
  EXPECT_NEAR(a.p, b.p, 0.05);
}

TEST(Permutation, SameBitsForAnyNumberOfThreads) {
  const Table table = planted(40, 100, 10, 0.5, 3);
  const PermutationTest a = test(table, {}, 1), b = test(table, {}, 3);
  EXPECT_EQ(a.p, b.p);
  EXPECT_EQ(a.statistic, b.statistic);
  EXPECT_EQ(a.expected, b.expected);
  EXPECT_NE(a.expected, test(table, {.seed = 2}).expected);
}

TEST(Permutation, FeaturesThatSayWhatACovariateSaysAreNoNews) {
  const auto confounded = [](std::uint64_t seed) {
    Table out = noise(60, 100, seed);
    Random random(seed, 6);
    out.covariates.conservativeResize(60, 2);
    for (Eigen::Index i = 0; i < 60; ++i) {
      const double age = random.normal();
      out.covariates(i, 1) = age;
      out.x.row(i).head(40).array() += age;
      out.classes[static_cast<std::size_t>(i)] = age + 0.7 * random.normal() > 0.3 ? 1 : 0;
    }
    return out;
  };
  Table unknown = confounded(1);
  unknown.covariates = Matrix::Ones(60, 1);
  EXPECT_LE(test(unknown).p, 0.002);
  const Small got = share_of_small(150, 5e7, confounded);
  EXPECT_LT(got.below_05, 0.1);
  EXPECT_LT(got.below_20, 0.28);
  Table more = confounded(2);  // and features that know more than the age
  for (Eigen::Index i = 0; i < 60; ++i)
    more.x.row(i).tail(20).array() += 1.5 * more.classes[static_cast<std::size_t>(i)];
  EXPECT_LE(test(more).p, 0.01);
}

TEST(Permutation, CopiesOfSamplesAreNoMoreSamples) {
  const auto copied = [](std::uint64_t seed) {
    Table out = noise(60, 60, seed);
    Random random(seed, 8);
    std::vector<std::string> names;
    for (Eigen::Index i = 0; i < 60; ++i) {
      out.x.row(i) = out.x.row(i - i % 3) + 0.3 * normal(1, 60, random);
      out.classes[static_cast<std::size_t>(i)] = i / 3 % 3 == 0 ? 1 : 0;
      names.push_back(std::to_string(i / 3));
    }
    out.groups = gather_groups(names);
    return out;
  };
  const Small got = share_of_small(150, 5e6, copied);
  EXPECT_NEAR(got.below_05, 0.05, 0.045);
  EXPECT_NEAR(got.below_20, 0.2, 0.08);
  Table alone = copied(1);
  alone.groups = {};
  EXPECT_LE(test(alone).p, 0.002);  // what ungrouped copies pretend
}

TEST(Permutation, PairsOfOnePatient) {
  const auto pairs = [](double shift, std::uint64_t seed) {
    Table out = noise(60, 80, seed);
    Random random(seed, 9);
    std::vector<std::string> names;
    for (Eigen::Index i = 0; i < 60; ++i) {
      if (i % 2 == 0) out.x.middleRows(i, 2).rowwise() += Eigen::RowVectorXd(2 * normal(1, 80, random).row(0));
      out.classes[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(i % 2);
      out.x.row(i).head(30).array() += static_cast<double>(i % 2) * shift;
      names.push_back(std::to_string(i / 2));
    }
    out.groups = gather_groups(names);
    return out;
  };
  const Small got = share_of_small(150, 5e6, [&](std::uint64_t seed) { return pairs(0, seed); });
  EXPECT_NEAR(got.below_05, 0.05, 0.045);
  EXPECT_LE(test(pairs(1, 1)).p, 0.01);
}

TEST(Permutation, OfThreeClasses) {
  Table table = noise(60, 200, 4);
  for (Eigen::Index i = 0; i < 60; ++i) {
    table.classes[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(i % 3);
    table.x.row(i).segment(20 * (i % 3), 20).array() += 1;
  }
  EXPECT_DOUBLE_EQ(test(table).p, 0.001);
  const Small got = share_of_small(100, few, [](std::uint64_t seed) {
    Table out = noise(30, 60, seed);
    for (std::size_t i = 0; i < 30; ++i) out.classes[i] = static_cast<std::uint32_t>(i % 3);
    return out;
  });
  EXPECT_NEAR(got.below_05, 0.05, 0.05);
}

TEST(Permutation, FewerWhereTheyCostMoreAndNoneWithTheReason) {
  const Table table = noise(50, 30, 5);
  EXPECT_EQ(test(table, {1, 1e8}).permutations, 999U);
  EXPECT_EQ(test(table, {1, 5e6}).permutations, 199U);
  EXPECT_EQ(test(table, {1, 7e5}).permutations, 19U);
  EXPECT_EQ(ask(table, {1, 1e5}).reason, "50 samples are too many for 1e+05 operations");
  Table other = table;
  other.classes.assign(50, 0);
  EXPECT_EQ(ask(other).reason, "50 samples can be labelled in fewer than 20 ways");
  other = table;
  Random random(1);
  other.covariates = normal(50, 50, random);
  EXPECT_EQ(ask(other).reason, "50 covariates leave nothing to test on 50 samples");
  other = table;
  other.x = table.x.leftCols(1);
  other.covariates.conservativeResize(50, 2);
  other.covariates.col(1) = table.x.col(0);
  EXPECT_EQ(ask(other).reason, "the features say nothing beyond the covariates");
  other = table;
  other.x(3, 2) = std::nan("");
  EXPECT_THROW(ask(other), std::invalid_argument);
  other = table;
  other.classes.pop_back();
  EXPECT_THROW(ask(other), std::invalid_argument);
}

TEST(Permutation, GeneTables) {
  for (const char* name : {"colon", "leukemia", "prostate"}) {
    SCOPED_TRACE(name);
    const std::string path = std::string(CAVITY_DATA_DIR) + "/" + name + ".csv.gz";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    ThreadPool pool(1);
    Dataset data = read_dataset(path);
    Classes classes = data.classes;
    const Prepared prepared = prepare(std::move(data), {}, pool);
    const Matrix kernel = feature_kernel(*make_design(prepared), pool);
    const Matrix covariates = Matrix::Ones(kernel.rows(), 1);
    const PermutationAnswer found = permutation_test({kernel, covariates, classes}, {}, pool);
    EXPECT_DOUBLE_EQ(found.test->p, 0.001);
    EXPECT_LT(found.test->statistic, found.test->expected - 0.2);
    Random random(11);
    for (std::size_t i = 0; i + 1 < classes.size(); ++i)
      std::swap(classes[i], classes[i + random.below(classes.size() - i)]);
    EXPECT_GT(permutation_test({kernel, covariates, classes}, {}, pool).test->p, 0.05);
  }
}

}  // namespace
}  // namespace cavity
