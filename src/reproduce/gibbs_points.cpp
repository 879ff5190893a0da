#include "reproduce/gibbs_points.hpp"

#include <mutex>
#include <numeric>

#include "infer/amp.hpp"
#include "infer/gibbs.hpp"
#include "reproduce/teacher_student.hpp"

namespace cavity {

namespace {

constexpr int draws = 96, warm_up = 200, every = 8;  // neighbouring draws are much alike

struct Pair {
  double teacher, density;
};
// Within the densities where the replica-symmetric fixed point is stable. None with teacher 0.05: chains that start
// from nothing take too long to find so sparse a teacher.
const std::vector<Pair> pairs = {{0.1, 0.1}, {0.1, 0.2}, {0.2, 0.2}, {0.2, 0.4}, {0.4, 0.2}, {0.4, 0.4}};

struct Errors {
  double one_draw = 0, posterior_mean = 0;
};

Errors sample(const Experiment& experiment, double density, std::uint64_t seed) {
  ThreadPool serial(1);
  const Problem problem = experiment.problem(density);
  GibbsOptions options;
  options.chains = 1;
  options.warm_up = warm_up;
  options.draws = draws;
  options.seed = seed;
  const Posterior amp = fit_amp(problem, {}, serial);
  options.prior = amp.prior;
  double sum = 0;
  int count = 0;
  options.observer = [&](const GibbsDraw& draw) {
    if (draw.number % every != 0) return;
    sum += experiment.error(draw.weights);
    ++count;
  };
  fit_gibbs(problem, options, serial);
  return {sum / count, experiment.error(amp.mean)};
}

}  // namespace

std::vector<GibbsPoint> gibbs_points(const ReproduceOptions& options, double noise) {
  const std::size_t size = options.quick ? 100 : 200, experiments = options.quick ? 4 : 12;
  std::vector<std::vector<Errors>> found(pairs.size(), std::vector<Errors>(experiments));
  std::mutex mutex;
  std::size_t finished = 0;
  ThreadPool pool(options.threads);
  pool.run(pairs.size() * experiments, [&](std::size_t k) {
    const Pair& pair = pairs[k / experiments];
    const Experiment experiment(size, pair.teacher, noise, options.seed + 9000 + k);
    found[k / experiments][k % experiments] = sample(experiment, pair.density, options.seed + k);
    const std::lock_guard lock(mutex);
    if (options.progress)
      options.progress("fig1", static_cast<double>(++finished) / static_cast<double>(pairs.size() * experiments));
  });
  std::vector<GibbsPoint> out;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    std::vector<double> one, mean;
    GibbsPoint point{pairs[p].teacher, pairs[p].density, {}, {}, experiments, size};
    for (const Errors& e : found[p]) {
      one.push_back(e.one_draw);
      mean.push_back(e.posterior_mean);
    }
    point.one_draw = mean_interval(one, 0.95);
    point.posterior_mean = mean_interval(mean, 0.95);
    out.push_back(point);
  }
  return out;
}

}  // namespace cavity
