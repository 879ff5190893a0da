// One teacher-student experiment as a problem for the solvers.
#pragma once

#include <mutex>
#include <type_traits>

#include "cavity/simulate.hpp"
#include "cavity/theory.hpp"
#include "design/dense_design.hpp"
#include "infer/problem.hpp"
#include "reproduce/section.hpp"
#include "table/question.hpp"

namespace cavity {

class Experiment {
 public:
  /// As many samples as features: ratio 1.
  Experiment(std::size_t size, double teacher, double noise, std::uint64_t seed)
      : noise_(noise),
        made_(simulate({.samples = size, .features = size, .teacher = teacher, .noise = noise, .seed = seed})),
        labels_(against_rest(made_.data.classes, 1)),
        design_(view(std::as_const(made_.data.features).dense())) {}
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  Problem problem(double density) const { return {design_, labels_, none_, step(noise_), density}; }
  double error(std::span<const double> weights) const {
    return true_error(made_.teacher, {weights.begin(), weights.end()}, noise_);
  }

 private:
  double noise_;
  Simulation made_;
  std::vector<std::int8_t> labels_;
  DenseDesign design_;
  Covariates none_;
};

inline TheoryPoint ratio_one(double teacher, double density, double noise) {
  return {1, {teacher, ActivationKind::step, noise}, {density, ActivationKind::step, noise}};
}

/// run(experiment, density) for every experiment and density; out[density][experiment].
struct Experiments {
  const char* figure;  // for the progress
  std::size_t size, count;
  double teacher, noise;
  std::uint64_t first_seed;
};
template <class Run>
auto run_experiments(const Experiments& wanted, const std::vector<double>& densities, const ReproduceOptions& options,
                     const Run& run) {
  using Result = std::invoke_result_t<Run, const Experiment&, double>;
  std::vector<std::vector<Result>> out(densities.size(), std::vector<Result>(wanted.count));
  std::mutex mutex;
  std::size_t finished = 0;
  ThreadPool pool(options.threads);
  pool.run(wanted.count, [&](std::size_t e) {
    const Experiment experiment(wanted.size, wanted.teacher, wanted.noise, wanted.first_seed + e);
    for (std::size_t d = 0; d < densities.size(); ++d) out[d][e] = run(experiment, densities[d]);
    const std::lock_guard lock(mutex);
    if (options.progress)
      options.progress(wanted.figure, static_cast<double>(++finished) / static_cast<double>(wanted.count));
  });
  return out;
}

}  // namespace cavity
