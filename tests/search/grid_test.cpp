#include "search/grid.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "cavity/errors.hpp"

namespace cavity {
namespace {

TEST(Grid, DefaultKeepsGivenNumbersOfFeatures) {
  const Grid grid = make_grid({}, 10000);
  ASSERT_EQ(grid.density.size(), 6U);
  EXPECT_DOUBLE_EQ(grid.density.front(), 0.5);
  EXPECT_NEAR(grid.density.back() * 10000, 12, 1e-9);
  EXPECT_EQ(grid.columns(), 4U);
  for (std::size_t cell = 0; cell < grid.size(); ++cell) EXPECT_GT(grid.point(cell).width, 0);
}

TEST(Grid, NoiseThatIsAskedForHasNoWidthUnlessThatIsAskedForToo) {
  FitOptions options;
  options.grid.noise = {0.02, 0.1};
  EXPECT_EQ(make_grid(options, 1000).width.front(), (std::vector<double>{0, 0}));
  EXPECT_EQ(make_grid(options, 1000).noise.front(), (std::vector<double>{0.1, 0.02}));
  options.grid.width = {0.5, 1};
  const Grid both = make_grid(options, 1000);
  EXPECT_EQ(both.width.front(), (std::vector<double>{1, 1, 0.5, 0.5}));
  EXPECT_EQ(both.noise.front(), (std::vector<double>{0.1, 0.02, 0.1, 0.02}));
  options.activation = ActivationKind::probit;
  EXPECT_THROW(make_grid(options, 1000), UsageError);
}

TEST(Grid, FitsSmallTablesToo) {
  for (const std::size_t features : {1U, 2U, 5U, 13U, 60U}) {
    const Grid grid = make_grid({}, features);
    EXPECT_FALSE(grid.density.empty());
    for (const double c : grid.density) EXPECT_TRUE(c > 0 && c <= 1) << features;
  }
}

TEST(Grid, PaperGridIsThePapers) {
  FitOptions options;
  options.grid.paper = true;
  EXPECT_EQ(make_grid(options, 2000).size(), 36U);
}

TEST(Grid, RefusesValuesOutOfRange) {
  for (const double bad : {0.0, -1.0, 1.5}) {
    FitOptions options;
    options.grid.density = {bad};
    EXPECT_THROW(make_grid(options, 100), UsageError);
  }
  FitOptions options;
  options.grid.noise = {0.5};
  EXPECT_THROW(make_grid(options, 100), UsageError);
}

TEST(Grid, WidthsOfSmoothActivationsFollowTheDensity) {
  FitOptions options;
  options.activation = ActivationKind::probit;
  const Grid grid = make_grid(options, 10000);
  EXPECT_NEAR(grid.noise[0][0] / grid.noise[5][0], std::sqrt(grid.density[0] / grid.density[5]), 1e-12);
}

}  // namespace
}  // namespace cavity
