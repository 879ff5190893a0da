#include "choose/ep_folds.hpp"

#include <algorithm>

#include "sample/place_folds.hpp"

namespace cavity {

namespace {

constexpr std::size_t folds = 5;
constexpr double tolerance = 1e-2;  // of what is asked only for the probabilities of a few samples
constexpr int most_updates = 10;    // five or so are enough where the solution is near

}  // namespace

void leave_out_folds(const Problem& problem, const EpState& state, ThreadPool& pool, Posterior& posterior) {
  const std::vector<std::size_t> fold = deal_folds(problem.labels, folds, Random(1, dealing_stream));
  const std::size_t count = *std::ranges::max_element(fold) + 1;
  std::vector<char> found(count);
  pool.run(count, [&](std::size_t k) {
    ThreadPool alone(1);
    std::vector<bool> left_out(fold.size());
    for (std::size_t mu = 0; mu < fold.size(); ++mu) left_out[mu] = fold[mu] == k;
    SolverOptions options;
    options.tolerance = tolerance;
    options.max_iterations = most_updates;
    EpStart start{&state};
    start.left_out = &left_out;
    const Posterior without = fit_ep(problem, options, start, alone).posterior;
    found[k] = without.status == Status::converged;
    if (!found[k]) return;
    for (std::size_t mu = 0; mu < fold.size(); ++mu) {
      if (!left_out[mu]) continue;
      posterior.cavity_mean[mu] = without.cavity_mean[mu];
      posterior.cavity_variance[mu] = without.cavity_variance[mu];
    }
  });
  leave_one_out(problem.activation, posterior);
  posterior.by_folds = true;
  posterior.doubtful = posterior.doubtful || std::ranges::count(found, 0) > 0;
}

}  // namespace cavity
