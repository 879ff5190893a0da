// AMP on simulated data against state evolution, step by step, and against the plan made from it. Averages over seeds
// must agree within three of their standard errors.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cavity/simulate.hpp"
#include "cavity/theory.hpp"
#include "design/dense_design.hpp"
#include "infer/amp.hpp"
#include "infer/gamp.hpp"
#include "model/activation_kind.hpp"
#include "support/sides.hpp"

namespace cavity {
namespace {

constexpr std::size_t features = 4000;
constexpr int steps = 10;

class Mean {
 public:
  void add(double x) {
    sum_ += x;
    square_ += x * x;
    ++n_;
  }
  double value() const { return sum_ / n_; }
  double standard_error() const { return std::sqrt((square_ / n_ - value() * value()) / (n_ - 1)); }

 private:
  double sum_ = 0, square_ = 0;
  int n_ = 0;
};

void expect_within_three(const Mean& mean, double theory, const std::string& what) {
  EXPECT_NEAR(mean.value(), theory, 3 * mean.standard_error())
      << what << ": " << (mean.value() - theory) / mean.standard_error() << " standard errors off";
}

struct StepMeans {
  Mean power, error;
};
struct RunMeans {
  std::vector<StepMeans> step = std::vector<StepMeans>(steps + 1);
  Mean loo_error, error;
};

TheoryPoint matched_point(double ratio, double density) {
  const Perceptron truth{density, ActivationKind::step, 0.05};
  return {ratio, truth, truth};
}

void add_step(const Simulation& made, const TheoryPoint& point, const Iteration& iteration, RunMeans& means) {
  const std::vector<double> mean(iteration.mean.begin(), iteration.mean.end());
  double power = 0;
  for (const double m : mean) power += m * m;
  StepMeans& step = means.step[static_cast<std::size_t>(iteration.number)];
  step.power.add(power / static_cast<double>(mean.size()));
  step.error.add(true_error(made.teacher, mean, point.teacher.noise));
}

void add_run(const Simulation& made, const TheoryPoint& point, RunMeans& means) {
  const DenseDesign design(view(made.data.features.dense()));
  const Covariates none;
  const std::vector<std::int8_t> labels = test::sides(made.data);
  const Problem problem{design, labels, none, make_activation(point.student.activation, point.student.noise),
                        point.student.density};
  SolverOptions options;
  options.observer = [&](const Iteration& iteration) {
    if (iteration.number <= steps) add_step(made, point, iteration, means);
    return true;
  };
  ThreadPool pool(1);
  const Posterior posterior = fit_amp(problem, options, pool);
  // At a few hundred samples AMP may still wander below the theory's accuracy when the update limit comes.
  EXPECT_NE(posterior.status, Status::diverged);
  means.loo_error.add(posterior.loo_error);
  means.error.add(true_error(made.teacher, posterior.mean, point.teacher.noise));
}

void check_steps(const TheoryPoint& point, const RunMeans& means) {
  const std::vector<EvolutionStep> path = state_evolution(point, steps);
  for (int t = 1; t <= steps; ++t) {
    const StepMeans& step = means.step[static_cast<std::size_t>(t)];
    expect_within_three(step.power, path[static_cast<std::size_t>(t)].power, "power at t = " + std::to_string(t));
    expect_within_three(step.error, path[static_cast<std::size_t>(t)].error_sbc, "error at t = " + std::to_string(t));
  }
}

void check_path(const TheoryPoint& point, const RunMeans& means) {
  check_steps(point, means);
  const ReplicaSolution fixed_point = replica_fixed_point(point);
  expect_within_three(means.error, fixed_point.error_sbc, "error at the end");
  expect_within_three(means.loo_error, fixed_point.error_sbc, "leave-one-out error");
}

TEST(AmpFollowsTheory, StepByStepWithAndWithoutMatchedDensity) {
  const Perceptron teacher{0.1, ActivationKind::step, 0.05};
  const TheoryPoint matched{1, teacher, teacher}, denser{1, teacher, {0.2, ActivationKind::step, 0.05}};
  RunMeans matched_means, denser_means;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Simulation made = simulate({features, features, 0.1, 0.05, seed});
    add_run(made, matched, matched_means);
    add_run(made, denser, denser_means);
  }
  {
    SCOPED_TRACE("matched");
    check_path(matched, matched_means);
  }
  {
    SCOPED_TRACE("denser student");
    check_path(denser, denser_means);
  }
}

TEST(AmpFollowsTheory, StepByStepAtRatioTwo) {
  const Perceptron truth{0.2, ActivationKind::step, 0.05};
  RunMeans means;
  for (std::uint64_t seed = 101; seed <= 120; ++seed)
    add_run(simulate({2 * features, features, 0.2, 0.05, seed}), {2, truth, truth}, means);
  check_path({2, truth, truth}, means);
}

// gamp keeps the slab's precision at 1, where amp solves for it on the way. With the teacher's density and noise that
// is its solution at every step, so that undamped, from a cold start, gamp takes the same path.
TEST(GampFollowsTheory, StepByStepWhereTheStudentIsMatched) {
  const Covariates none;
  ThreadPool pool(1);
  for (const TheoryPoint& point : {matched_point(1, 0.1), matched_point(0.5, 0.2)}) {
    SCOPED_TRACE(std::to_string(point.ratio) + ", density " + std::to_string(point.teacher.density));
    const Perceptron& truth = point.teacher;
    const auto samples = static_cast<std::size_t>(point.ratio * features);
    RunMeans means;
    for (std::uint64_t seed = 401; seed <= 416; ++seed) {
      const Simulation made = simulate({samples, features, truth.density, truth.noise, seed});
      const std::vector<std::int8_t> labels = test::sides(made.data);
      const DenseDesign design(view(made.data.features.dense()));
      const Problem problem{design, labels, none, step(truth.noise), truth.density};
      SolverOptions undamped;
      undamped.share = 1;
      undamped.observer = [&](const Iteration& iteration) {
        add_step(made, point, iteration, means);
        return iteration.number < steps;
      };
      fit_gamp(problem, undamped, {}, pool);
    }
    check_steps(point, means);
  }
}

// Damped, as it runs on data, it ends there.
TEST(GampFollowsTheory, ToTheFixedPoint) {
  const Perceptron truth{0.1, ActivationKind::step, 0.05};
  const Covariates none;
  ThreadPool pool(1);
  Mean error, loo_error;
  for (std::uint64_t seed = 301; seed <= 312; ++seed) {
    const Simulation made = simulate({features, features, truth.density, truth.noise, seed});
    const std::vector<std::int8_t> labels = test::sides(made.data);
    const DenseDesign design(view(made.data.features.dense()));
    const Problem problem{design, labels, none, step(truth.noise), truth.density};
    const Posterior posterior = fit_gamp(problem, {}, {}, pool).posterior;
    EXPECT_EQ(posterior.status, Status::converged) << seed;
    error.add(true_error(made.teacher, posterior.mean, truth.noise));
    loo_error.add(posterior.loo_error);
  }
  const ReplicaSolution fixed_point = replica_fixed_point({1, truth, truth});
  expect_within_three(error, fixed_point.error_sbc, "error at the end");
  expect_within_three(loo_error, fixed_point.error_sbc, "leave-one-out error");
}

TEST(AmpFollowsTheory, PlannedStudiesReachTheirTarget) {
  struct Study {
    Perceptron truth;
    double target;
  };
  for (const Study& study :
       {Study{{0.02, ActivationKind::step, 0.05}, 0.2}, Study{{0.1, ActivationKind::step, 0}, 0.15},
        Study{{0.3, ActivationKind::step, 0.1}, 0.3}}) {
    const Plan plan = plan_samples(features, study.truth, study.target);
    ASSERT_TRUE(plan.reachable);
    SCOPED_TRACE(std::to_string(plan.samples) + " samples");
    RunMeans means;
    for (std::uint64_t seed = 201; seed <= 220; ++seed)
      add_run(
          simulate({static_cast<std::size_t>(plan.samples), features, study.truth.density, study.truth.noise, seed}),
          {plan.ratio, study.truth, study.truth}, means);
    expect_within_three(means.error, study.target, "error");
  }
}

}  // namespace
}  // namespace cavity
