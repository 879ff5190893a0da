// What runs where nothing is asked for: by the form of the table and by what an update of EP costs.
#include <gtest/gtest.h>

#include "cavity/read.hpp"
#include "search/search.hpp"
#include "support/one_table_in_all_forms.hpp"

namespace cavity {
namespace {

constexpr std::size_t few = 100, beyond_ep = 1'000'000'000;  // inputs

TEST(PickSolver, FollowsTheFormOfTheTable) {
  const test::AllForms files(test::rare_genotypes(30, 40, false));
  const FeatureTable dense = read_dataset(files.csv).features,
                     sparse = read_dataset(files.svmlight, {.compact = true}).features,
                     genotypes = read_dataset(files.bed, {.compact = true}).features;
  const auto pick = [](const FeatureTable& table, std::size_t inputs) {
    return pick_solver(Solver::automatic, table, inputs).solver;
  };
  EXPECT_EQ(pick(dense, few), Solver::ep);
  EXPECT_EQ(pick(dense, beyond_ep), Solver::gamp);
  EXPECT_NE(pick_solver(Solver::automatic, dense, beyond_ep).why.find("beyond EP's reach"), std::string::npos);
  EXPECT_NE(pick_solver(Solver::automatic, dense, few).why.find("within EP's reach"), std::string::npos);
  EXPECT_EQ(pick(genotypes, few), Solver::ep);
  EXPECT_EQ(pick(genotypes, beyond_ep), Solver::gamp);
  EXPECT_EQ(pick(sparse, few), Solver::gamp);
  EXPECT_EQ(pick(sparse, beyond_ep), Solver::gamp);
  EXPECT_EQ(pick_solver(Solver::amp, sparse, few).solver, Solver::amp);
}

}  // namespace
}  // namespace cavity
