// The whole job, top to bottom.
#include "cavity/fit.hpp"

#include <algorithm>

#include "fit/answer.hpp"
#include "fit/bend_classes.hpp"
#include "fit/calibrate.hpp"
#include "fit/describe.hpp"
#include "fit/fit_with_shards.hpp"
#include "search/fit_bounds.hpp"

namespace cavity {

Fit fit(Dataset data, const FitOptions& options, const Shards& shards) {
  check_bounds(options);
  ThreadPool pool(options.threads);
  const FitTable table = prepare_table(std::move(data), options, shards, pool);
  const std::vector<Answer> answers = bend_classes(table, answer_questions(table, options, pool), options, pool);
  const Calibrated calibrated = calibrate(table, answers, options, pool);
  return describe(table, answers, calibrated, options, pool);
}

Fit fit(Dataset data, const FitOptions& options) { return fit(std::move(data), options, Shards::whole()); }

bool Fit::converged() const {
  return std::ranges::all_of(questions, [](const QuestionFit& q) { return q.chosen_cell().usable; });
}

}  // namespace cavity
