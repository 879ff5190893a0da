// One teacher-student experiment as a problem for the solvers.
#pragma once

#include "cavity/simulate.hpp"
#include "cavity/theory.hpp"
#include "design/dense_design.hpp"
#include "infer/posterior.hpp"

namespace cavity {

class Experiment {
 public:
  /// As many samples as features: ratio 1.
  Experiment(std::size_t size, double teacher, double noise, std::uint64_t seed)
      : noise_(noise),
        made_(simulate({.samples = size, .features = size, .teacher = teacher, .noise = noise, .seed = seed})),
        design_(view(made_.data.features)) {}
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  Problem problem(double density) const { return {design_, made_.data.labels, none_, StepActivation{noise_}, density}; }
  double error(std::span<const double> weights) const {
    return true_error(made_.teacher, {weights.begin(), weights.end()}, noise_);
  }

 private:
  double noise_;
  Simulation made_;
  DenseDesign design_;
  Covariates none_;
};

inline TheoryPoint ratio_one(double teacher, double density, double noise) {
  return {1, {teacher, ActivationKind::step, noise}, {density, ActivationKind::step, noise}};
}

}  // namespace cavity
