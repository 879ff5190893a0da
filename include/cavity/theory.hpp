// What the classifier does on random data of any size, before there is data: a teacher perceptron with independent
// Gaussian features labels the samples, a student with a pruning prior learns from them, and in the limit of many
// features everything is known (state evolution, replica-symmetric fixed point). Deterministic, no simulation.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cavity/activation.hpp"

namespace cavity {

struct Perceptron {
  double density = 0.1;  // fraction of features in use, in (0, 1]
  ActivationKind activation = ActivationKind::step;
  double noise = 0.05;
};

struct TheoryPoint {
  double ratio = 1;  // samples / features
  Perceptron teacher, student;
};

/// After t updates of AMP started from nothing. t = 0 is the start: no overlap, both errors 1/2.
struct EvolutionStep {
  int t = 0;
  double overlap = 0, power = 0;
  double error_sbc = 0.5, error_gibbs = 0.5;
};
std::vector<EvolutionStep> state_evolution(const TheoryPoint& point, int steps);

enum class TheoryStart { uninformed, informed };

struct ReplicaSolution {
  double overlap = 0, power = 0;              // R = w_o.m/N, Q = m.m/N
  double overlap_hat = 0, power_hat = 0;      // their conjugates
  double precision = 1, slab_precision = 1;   // A and F = A - power_hat
  double log_odds = 0;                        // lambda; 1e4 stands for certainty at density 1
  double error_sbc = 0.5, error_gibbs = 0.5;  // of the posterior mean, of one draw from the posterior
  double free_energy = 0;                     // (1/N) [ln Z]
  double stability = 0;                       // AT: the fixed point is stable below 1
  int steps = 0;                              // state-evolution steps taken, the accelerated finish included
  bool converged = false;
  TheoryStart start = TheoryStart::uninformed;
};
ReplicaSolution replica_fixed_point(const TheoryPoint& point, TheoryStart start = TheoryStart::uninformed);

/// The fixed points reached from both ends. Where they differ, AMP finds the uninformed one, and the one of larger free
/// energy is the equilibrium.
struct BothEnds {
  ReplicaSolution uninformed, informed;
  bool bistable = false;
};
BothEnds replica_both_ends(const TheoryPoint& point);

/// The student densities around the teacher's within which the fixed point is stable (AT < 1). Empty on a side where
/// stability is not lost between 1e-4 and 1.
struct StableDensities {
  std::optional<double> lowest, highest;
};
StableDensities stability_density(const TheoryPoint& point);

enum class SweepVariable { ratio, density, noise, teacher };
std::vector<ReplicaSolution> sweep(std::span<const TheoryPoint> points);

/// Planning a study: the student knows the truth's density, activation and noise, and the features are independent.
struct LearningCurvePoint {
  double samples = 0, ratio = 0, error_sbc = 0.5, error_gibbs = 0.5;
};
struct Plan {
  bool reachable = true;
  double samples = 0, ratio = 0, error_sbc = 0.5, error_gibbs = 0.5;  // the answer, when reachable
  double best_error = 0;                                              // what infinitely many samples would leave
};
Plan plan_error(double features, const Perceptron& truth, double samples);
Plan plan_samples(double features, const Perceptron& truth, double target_error);
/// Points do not depend on each other: the same for any number of threads.
std::vector<LearningCurvePoint> learning_curve(double features, const Perceptron& truth,
                                               std::span<const double> samples, unsigned threads = 1);

}  // namespace cavity
