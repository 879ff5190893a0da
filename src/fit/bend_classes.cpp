#include "fit/bend_classes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assess/mean_error.hpp"
#include "fit/calibrate.hpp"

namespace cavity {

namespace {

bool bent(const Answer& answer) { return answer.bent.boundary.share > 0; }

/// What is said of samples left out: by the bent cells, too, or by the straight ones alone, whichever it was not.
void exchange(std::vector<Answer>& answers) {
  for (Answer& answer : answers)
    if (bent(answer)) std::swap(answer.mixed, *answer.bent.straight);
}

void forget_bends(std::vector<Answer>& answers) {
  for (Answer& answer : answers) {
    answer.bent.straight.reset();
    answer.bent.cells.clear();
    answer.bent.weight.clear();
    answer.bent.boundary.share = answer.bent.boundary.pruned_share = 0;
  }
}

std::vector<double> log_losses(const FitTable& table, const std::vector<Answer>& answers, const FitOptions& options,
                               ThreadPool& pool) {
  const Matrix left_out = calibrate(table, answers, options, pool).left_out;
  std::vector<double> out(table.samples.classes.size());
  for (std::size_t mu = 0; mu < out.size(); ++mu)
    out[mu] = -std::log(left_out(static_cast<Eigen::Index>(mu), table.samples.classes[mu]));
  return out;
}

}  // namespace

std::vector<Answer> bend_classes(const FitTable& table, std::vector<Answer> answers, const FitOptions& options,
                                 ThreadPool& pool) {
  const bool open = answers.size() > 1 && options.boundary == Boundary::automatic;
  if (!open || !std::ranges::any_of(answers, bent)) return answers;
  const std::vector<double> by_both = log_losses(table, answers, options, pool);
  exchange(answers);
  const Gain gain = gain_of(log_losses(table, answers, options, pool), by_both, table.together());
  if (gain.value > bend_pays * gain.se)
    exchange(answers);
  else
    forget_bends(answers);
  return answers;
}

}  // namespace cavity
