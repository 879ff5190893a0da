#include "prepare/covariates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cavity/errors.hpp"
#include "prepare/prepare.hpp"
#include "support/errors.hpp"
#include "support/tables.hpp"
#include "table/matrix_size.hpp"

namespace cavity {
namespace {

using test::expect_error;
using Columns = std::vector<CovariateColumn>;

const Columns ages_and_sites{{"age", {"30", "40", "NA", "50"}}, {"site", {"skin", "lung", "", "bone"}}};

TEST(Covariates, NumbersAreCentredWithUnitVariance) {
  const auto encoded = encode_covariates(ages_and_sites, 4);
  const float high = static_cast<float>(10 / std::sqrt(200.0 / 3));
  EXPECT_FLOAT_EQ(encoded.values.row(0)[0], -high);
  EXPECT_FLOAT_EQ(encoded.values.row(1)[0], 0);
  EXPECT_FLOAT_EQ(encoded.values.row(2)[0], 0);  // missing: the mean
  EXPECT_FLOAT_EQ(encoded.values.row(3)[0], high);
}

TEST(Covariates, CategoriesAreOneHotWithoutTheFirst) {
  const auto encoded = encode_covariates(ages_and_sites, 4);
  ASSERT_EQ(encoded.encodings.size(), 3U);
  EXPECT_EQ(encoded.encodings[1].category, "lung");
  EXPECT_EQ(encoded.encodings[2].category, "skin");
  EXPECT_EQ(encoded.encodings[2].reference, "bone");
  const float third = 1.0F / 3;
  const float expected[4][2] = {{-third, 1 - third}, {1 - third, -third}, {0, 0}, {-third, -third}};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 2; ++k) EXPECT_FLOAT_EQ(encoded.values.row(i)[k + 1], expected[i][k]);
  EXPECT_EQ(encoded.notes, (std::vector<std::string>{"covariate 'age': 1 missing value replaced by the mean",
                                                     "covariate 'site': 1 missing value replaced by the mean"}));
}

TEST(Covariates, ConstantOnesAreLeftOutWithANote) {
  const auto encoded =
      encode_covariates({{"a", {"3", "3.0"}}, {"b", {"x", "x"}}, {"c", {"", "NA"}}, {"d", {"0", "0"}}}, 2);
  EXPECT_TRUE(encoded.encodings.empty());
  EXPECT_EQ(encoded.values.rows, 2U);
  EXPECT_EQ(encoded.notes.size(), 4U);
  EXPECT_EQ(encoded.notes[0], "covariate 'a' has the same value in all samples: left out");
}

TEST(Covariates, NewDataIsMatchedByName) {
  const auto encoded = encode_covariates(ages_and_sites, 4);
  const Columns fresh{{"site", {"bone", ""}}, {"other", {"1", "2"}}, {"age", {"50", ""}}};
  const FeatureMatrix values = apply_covariates(encoded.encodings, fresh, 2);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(values.row(0)[k], encoded.values.row(3)[k]);
    EXPECT_EQ(values.row(1)[k], 0);
  }
}

TEST(Covariates, RefusesWhatTrainingDidNotHave) {
  const auto encodings = encode_covariates(ages_and_sites, 4).encodings;
  expect_error<InputError>(
      [&] {
        apply_covariates(encodings, {{"age", {"1"}}, {"site", {"liver"}}}, 1);
      },
      {"'site', sample 1", "'liver'", "'bone', 'lung', 'skin'"});
  expect_error<InputError>(
      [&] {
        apply_covariates(encodings, {{"age", {"old"}}, {"site", {"bone"}}}, 1);
      },
      {"'age', sample 1", "'old' is not a number"});
  expect_error<InputError>(
      [&] {
        apply_covariates(encodings, {{"age", {"1"}}}, 1);
      },
      {"1 covariate of the model", "'site'"});
  expect_error<InputError>([&] { apply_covariates(encodings, {}, 1); }, {"2 covariates", "'age', 'site'"});
}

TEST(Covariates, RefusesTooManyCategoriesAndInfinity) {
  CovariateColumn column{"id", numbered_names("p", 0, 21)};
  expect_error<InputError>([&] { encode_covariates({column}, 21); },
                           {"'id' has 21 categories in 21 samples", "'p0', 'p1'", "at most 20"});
  column.values.back() = "p0";
  EXPECT_EQ(encode_covariates({column}, 21).encodings.size(), 19U);
  expect_error<InputError>([] { encode_covariates({{"a", {"1", "inf"}}}, 2); }, {"'a', sample 2", "infinite"});
  expect_error<InputError>([] { encode_covariates({{"a", {"1", "2"}}}, 3); }, {"2 values for 3 samples"});
}

TEST(Covariates, TravelWithThePreprocessing) {
  ThreadPool pool(1);
  Dataset table = test::skewed_table(4, 6);
  table.covariates = ages_and_sites;
  const Dataset again = table;
  const auto prepared = prepare(std::move(table), {}, pool);
  EXPECT_EQ(prepared.preprocessing.covariates.size(), 3U);
  EXPECT_EQ(apply(prepared.preprocessing, Dataset(again), pool).covariates.values, prepared.covariates.values);
}

}  // namespace
}  // namespace cavity
