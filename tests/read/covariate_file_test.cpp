#include "read/covariate_file.hpp"

#include <gtest/gtest.h>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"
#include "table/matrix_size.hpp"

namespace cavity {
namespace {

using test::expect_error;

class CovariateFile : public testing::Test {
 protected:
  Dataset read(const std::string& text) {
    Dataset data;
    data.features = FeatureMatrix(3, 1);
    data.sample_names = {"s1", "s2", "F:s3"};
    join_covariates(read_covariate_file(dir_.write("cov", text)), data);
    return data;
  }
  test::TempDir dir_;
};

TEST_F(CovariateFile, FindsSamplesByFamilyAndId) {
  const Dataset d = read("#FID IID age  sex\nx s2 50 f\nF s3 60 m\nA s1 40 f\nq nobody 1 m\n");
  ASSERT_EQ(d.covariates.size(), 2U);
  EXPECT_EQ(d.covariates[0].name, "age");
  EXPECT_EQ(d.covariates[0].values, (std::vector<std::string>{"40", "50", "60"}));
  EXPECT_EQ(d.covariates[1].values, (std::vector<std::string>{"f", "f", "m"}));
}

TEST_F(CovariateFile, TakesTheFirstColumnForTheIdElse) {
  const Dataset d = read("\xef\xbb\xbfname,PC1\r\n\"s1\",0.5\r\nF:s3,\r\ns2,-1\r\n");
  ASSERT_EQ(d.covariates.size(), 1U);
  EXPECT_EQ(d.covariates[0].values, (std::vector<std::string>{"0.5", "-1", ""}));
}

TEST_F(CovariateFile, WhatIsWrongIsNamed) {
  expect_error<InputError>([&] { read("id\tage\ns1\t1\ns2\t2\n"); }, {"1 of 3 samples", "'F:s3'"});
  expect_error<InputError>([&] { read("id\tage\ns1\t1\ns2\n"); }, {"line 3", "1 column", "header has 2"});
  expect_error<InputError>([&] { read("id age\ns1 1\ns1 2\n"); }, {"line 3", "'s1'", "twice"});
  expect_error<InputError>([&] { read("id\ns1\n"); }, {"line 1", "at least one covariate"});
  expect_error<IoError>([&] { read_covariate_file("/no/such/file"); }, {"/no/such/file"});
}

}  // namespace
}  // namespace cavity
