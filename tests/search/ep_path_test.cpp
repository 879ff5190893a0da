// The path through the grid: what it visits, and that what it visits is what solving everything gives.
#include "search/ep_path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "design/dense_design.hpp"

namespace cavity {
namespace {

// Labels by the sign of the first four features, one in ten flipped.
struct Made {
  FeatureMatrix x{60, 300};
  std::vector<std::int8_t> labels;
  Made() {
    Random random(7, 0);
    for (float& v : x.values) v = static_cast<float>(random.normal());
    for (std::size_t mu = 0; mu < x.rows; ++mu) {
      const float field = x.row(mu)[0] + x.row(mu)[1] - x.row(mu)[2] - x.row(mu)[3];
      const bool flipped = random.uniform() < 0.1;
      labels.push_back((field > 0) != flipped ? 1 : -1);
    }
  }
};

EpWalk loose_walk() {
  EpWalk walk;
  walk.options.tolerance = 1e-3;
  walk.options.max_iterations = 80;
  walk.may_end = true;
  walk.known = [](std::size_t, Posterior&, EpState&) { return false; };
  walk.done = [](std::size_t, const Posterior&, const EpState&) {};
  return walk;
}

EpCells walked(bool may_end, double tolerance, unsigned threads = 1) {
  static const Made made;
  const DenseDesign design(view(made.x));
  const Covariates none;
  const GridProblem problem{design, made.labels, none, ActivationKind::step};
  EpWalk walk = loose_walk();
  walk.options.tolerance = tolerance;
  walk.may_end = may_end;
  ThreadPool pool(threads);
  return walk_ep(problem, make_grid({}, made.x.cols), walk, pool);
}

TEST(EpPath, ScoutsAllColumnsAndFollowsOne) {
  const Grid grid = make_grid({}, 300);
  const EpCells cells = walked(true, 1e-3);
  std::size_t single = 0, unvisited = 0;
  for (std::size_t row = 0; row < grid.density.size(); ++row) {
    std::size_t visited = 0;
    for (std::size_t j = 0; j < grid.columns(); ++j)
      visited += cells.posteriors[row * grid.columns() + j].status != Status::not_visited;
    if (row == 1) {
      EXPECT_EQ(visited, grid.columns());
    }
    single += visited == 1;
    unvisited += grid.columns() - visited;
  }
  EXPECT_GE(single, 1U);
  EXPECT_GE(unvisited, grid.columns());
}

TEST(EpPath, CellsOnItAreThoseOfTheWholeGrid) {
  const EpCells path = walked(true, 1e-6), whole = walked(false, 1e-6);
  std::size_t compared = 0;
  for (std::size_t cell = 0; cell < path.posteriors.size(); ++cell) {
    const Posterior &p = path.posteriors[cell], &q = whole.posteriors[cell];
    if (p.status != Status::converged || q.status != Status::converged) continue;
    EXPECT_NEAR(p.loo_log_loss, q.loo_log_loss, 1e-4) << cell;
    ++compared;
  }
  EXPECT_GE(compared, 8U);
}

TEST(EpPath, IsTheSameForAnyNumberOfThreads) {
  const EpCells one = walked(true, 1e-3, 1), three = walked(true, 1e-3, 3);
  for (std::size_t cell = 0; cell < one.posteriors.size(); ++cell) {
    EXPECT_EQ(one.posteriors[cell].status, three.posteriors[cell].status) << cell;
    EXPECT_EQ(one.posteriors[cell].loo_log_probability, three.posteriors[cell].loo_log_probability) << cell;
  }
}

// Tall and wide tables, all features deciding, one label in twenty flipped.
TEST(EpPath, ACellThatFailsIsTheLastOfItsColumn) {
  for (const auto& [samples, features] : {std::pair{600, 10}, {300, 20}, {200, 120}, {40, 400}}) {
    SCOPED_TRACE(std::to_string(samples) + " x " + std::to_string(features));
    FeatureMatrix x{static_cast<std::size_t>(samples), static_cast<std::size_t>(features)};
    std::vector<std::int8_t> labels;
    Random random(11, 0);
    for (float& v : x.values) v = static_cast<float>(random.normal());
    for (std::size_t mu = 0; mu < x.rows; ++mu) {
      const float field = std::accumulate(x.row(mu), x.row(mu) + x.cols, 0.0F);
      labels.push_back((field > 0) != (random.uniform() < 0.05) ? 1 : -1);
    }
    const DenseDesign design(view(x));
    const Covariates none;
    ThreadPool pool(1);
    const Grid grid = make_grid({}, x.cols);
    const EpCells cells = walk_ep({design, labels, none, ActivationKind::step}, grid, loose_walk(), pool);
    std::size_t converged = 0;
    for (std::size_t j = 0; j < grid.columns(); ++j) {
      bool ended = false;
      for (std::size_t row = 0; row < grid.density.size(); ++row) {
        const Status status = cells.posteriors[row * grid.columns() + j].status;
        if (status == Status::not_visited) continue;
        EXPECT_FALSE(ended) << "column " << j << ", row " << row;
        ended = status != Status::converged;
        converged += status == Status::converged;
      }
    }
    EXPECT_GE(converged, 4U);
  }
}

// Many samples of a sparse truth: each density tells far more than the one before, and nothing is wrong with that.
TEST(EpPath, ASteepFallOfTheLossEndsNothingWhereManyAreKept) {
  FeatureMatrix x{300, 800};
  std::vector<std::int8_t> labels;
  Random random(3, 0);
  for (float& v : x.values) v = static_cast<float>(random.normal());
  for (std::size_t mu = 0; mu < x.rows; ++mu) {
    float field = 0;
    for (std::size_t l = 0; l < 12; ++l) field += x.row(mu)[l];
    labels.push_back(field > 0 ? 1 : -1);
  }
  const DenseDesign design(view(x));
  const Covariates none;
  ThreadPool pool(1);
  const Grid grid = make_grid({}, x.cols);
  const EpCells cells = walk_ep({design, labels, none, ActivationKind::step}, grid, loose_walk(), pool);
  double scouted = 1, fifty = 1;
  for (std::size_t cell = 0; cell < grid.size(); ++cell) {
    const Posterior& p = cells.posteriors[cell];
    const double kept = grid.point(cell).density * 800;
    if (p.status != Status::converged || kept < 40) continue;
    double& best = kept < 60 ? fifty : scouted;
    best = std::min(best, p.loo_log_loss);
  }
  EXPECT_LT(fifty, scouted - 0.05);
}

}  // namespace
}  // namespace cavity
