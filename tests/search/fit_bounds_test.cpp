// Every number that a fit can be asked for: what has a meaning passes, and what has none, or leaves the range of
// numbers on the way, is refused with its name and what it may be.
#include "search/fit_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "cavity/errors.hpp"
#include "support/errors.hpp"

namespace cavity {
namespace {

using Set = std::function<void(FitOptions&, double)>;

struct Case {
  std::string name;  // in the message
  Set set;
  std::vector<double> good, bad;
};

const std::vector<Case> cases = {
    {"density", [](FitOptions& o, double v) { o.grid.density = {v}; }, {1, 1e-12}, {0, -1, 1.01, 1e-320, 1e-300}},
    {"noise", [](FitOptions& o, double v) { o.grid.noise = {v}; }, {0, 1e-12, 0.49}, {-0.1, 0.5, 1e-320}},
    {"noise",
     [](FitOptions& o, double v) {
       o.activation = ActivationKind::probit;
       o.grid.noise = {v};
     },
     {1e-12, 1e12},
     {0, -1, 1e-200, 1e200}},
    {"width", [](FitOptions& o, double v) { o.grid.width = {v}; }, {0, 1e-12, 1e12}, {-1, 1e-200, 1e200}},
    {"`class_prior`",
     [](FitOptions& o, double v) {
       o.class_prior = {1 - v, v};
     },
     {0.5, 1e-9},
     {0, 1, -1, 2, 1e-320}},
    {"`class_prior`",
     [](FitOptions& o, double v) {
       o.class_prior = {v, 0.5, 0.5 - v};
     },
     {0.2},
     {0, -1, 1e-320}},
    {"`tolerance`", [](FitOptions& o, double v) { o.solver.tolerance = v; }, {1e-16, 1e-6, 1}, {0, -1, 1e-320, 2}},
    {"amp_share", [](FitOptions& o, double v) { o.solver.amp_share = v; }, {0, 1}, {-1, 2}},
    {"least_frequency", [](FitOptions& o, double v) { o.preprocessing.least_frequency = v; }, {0, 0.5}, {-1, 0.6}},
    {"most_missing", [](FitOptions& o, double v) { o.preprocessing.most_missing = v; }, {0, 1}, {-1, 1.1}},
    {"minutes", [](FitOptions& o, double v) { o.checkpoint.minutes = v; }, {0, 1e6}, {-1, 1e7}},
};

TEST(FitBounds, EveryNumberHasThem) {
  EXPECT_NO_THROW(check_bounds({}));
  for (const Case& one : cases) {
    for (const double value : one.good) {
      FitOptions options;
      one.set(options, value);
      EXPECT_NO_THROW(check_bounds(options)) << one.name << " " << value;
    }
    for (double value : one.bad) {
      FitOptions options;
      one.set(options, value);
      test::expect_error<UsageError>([&] { check_bounds(options); }, {one.name});
    }
    for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      FitOptions options;
      one.set(options, value);
      test::expect_error<UsageError>([&] { check_bounds(options); }, {one.name});
    }
  }
}

TEST(FitBounds, WholeNumbersToo) {
  FitOptions options;
  options.solver.max_iterations = -1;
  test::expect_error<UsageError>([&] { check_bounds(options); }, {"`max_iterations`", "-1"});
  options = {};
  options.threads = 5000;
  test::expect_error<UsageError>([&] { check_bounds(options); }, {"threads", "5000"});
}

}  // namespace
}  // namespace cavity
