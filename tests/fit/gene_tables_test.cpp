// The default path over real gene tables: what it visits, it solves.
#include <gtest/gtest.h>

#include <filesystem>

#include "cavity/fit.hpp"
#include "cavity/read.hpp"

namespace cavity {
namespace {

// prostate's sparsest cell is the one that a neighbour's history of steps leads astray.
TEST(GeneTables, EveryVisitedCellConverges) {
  for (const char* name : {"colon", "leukemia", "prostate"}) {
    SCOPED_TRACE(name);
    const std::string path = std::string(CAVITY_DATA_DIR) + "/" + name + ".csv.gz";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    FitOptions options;
    options.solver.kind = Solver::ep;
    const Fit found = fit(read_dataset(path), options);
    std::size_t visited = 0;
    for (const Cell& cell : found.questions[0].grid) {
      ++visited;
      EXPECT_EQ(cell.status, "converged") << cell.density << ", " << cell.noise << ", " << cell.width;
    }
    EXPECT_GE(visited, 6);
  }
}

}  // namespace
}  // namespace cavity
