// Every solver on every design of the zoo: finite numbers, a true status, the update limit honoured, and `auto`
// converges or says why not.
#include <gtest/gtest.h>

#include <set>

#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "support/hard_designs.hpp"

namespace cavity {
namespace {

constexpr int most_updates = 40;  // asked for; `auto` has its own limit, 80 for ep

bool between(double x, double low, double high) { return x >= low && x <= high; }  // false for NaN

void expect_sound(const Fit& fit, int limit, const std::string& what) {
  bool converged = false;
  for (const Cell& c : fit.questions[0].grid) {
    const std::set<std::string> statuses = {"converged", "restricted", "stalled", "diverged", "not mixed"};
    EXPECT_TRUE(statuses.contains(c.status)) << what << c.status;
    const bool sampled = fit.solver().name == "gibbs" || c.solver == "places";
    if (!sampled) {
      EXPECT_LE(c.iterations, limit) << what;
    }
    converged |= c.status == "converged";
    if (c.weight == 0) continue;
    EXPECT_TRUE(between(c.loo_error, 0, 1) && between(c.loo_log_loss, 0, 1e4)) << what << c.density << " " << c.noise;
    EXPECT_TRUE(sampled || c.status != "converged" || c.residual < 1e-6) << what << c.residual;
  }
  const bool said = std::any_of(fit.warnings.begin(), fit.warnings.end(), [](const Warning& w) {
    return w.name == "not-converged" || w.text.find("no cell converged freely") != std::string::npos;
  });
  EXPECT_NE(converged, said) << what << "converged or said why not";
  EXPECT_TRUE(between(fit.loo.error, 0, 1) && between(fit.loo.log_loss, 0, 1e4)) << what << fit.loo.log_loss;
  EXPECT_TRUE(between(fit.questions[0].train_error, 0, 1)) << what;
  for (const double p : fit.loo.probability) EXPECT_TRUE(between(p, 0, 1)) << what << p;
  for (const double p : fit.model.questions[0].features.inclusion) EXPECT_TRUE(between(p, 0, 1)) << what << p;
  for (const double w : fit.model.questions[0].features.weight) EXPECT_TRUE(std::isfinite(w)) << what << w;
  EXPECT_NO_THROW(model_bytes(fit.model)) << what;
}

class Zoo : public testing::TestWithParam<Solver> {};

TEST_P(Zoo, SoundAnswers) {
  const auto zoo = test::hard_designs();
  EXPECT_GE(zoo.size(), 60U);
  int converged = 0, refused = 0;
  for (const auto& [name, data] : zoo) {
    FitOptions options;
    options.solver.kind = GetParam();
    options.threads = 1;
    if (GetParam() != Solver::automatic) {
      options.solver.max_iterations = most_updates;
      options.grid.density = {0.3};
      options.grid.noise = {0.1};
    }
    try {
      const Fit result = fit(data, options);
      expect_sound(result, options.solver.max_iterations > 0 ? most_updates : 80, name + ": ");
      const std::string& status = result.questions[0].grid[result.questions[0].chosen].status;
      converged += status == "converged" ? 1 : 0;
      if (status != "converged") std::cout << name << ": " << status << '\n';
      for (const double p : predict(result.model, data, 1).of(1)) EXPECT_TRUE(between(p, 0, 1)) << name << p;
    } catch (const Error& error) {  // nothing to learn from, and it is said
      ++refused;
      EXPECT_NE(std::string(error.what()).find("no feature is left"), std::string::npos) << name << error.what();
    }
  }
  std::cout << zoo.size() << " designs: " << converged << " converged, " << refused << " refused\n";
}

std::string solver_name(const testing::TestParamInfo<Solver>& chosen) { return to_string(chosen.param); }

INSTANTIATE_TEST_SUITE_P(Solvers, Zoo,
                         testing::Values(Solver::automatic, Solver::ep, Solver::gamp, Solver::amp, Solver::bp,
                                         Solver::gibbs),
                         solver_name);

}  // namespace
}  // namespace cavity
