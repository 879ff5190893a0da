#include "fit/answer.hpp"

#include <mutex>

#include "cavity/errors.hpp"
#include "fit/trust.hpp"
#include "search/checkpoint_files.hpp"
#include "search/policies.hpp"
#include "search/search.hpp"
#include "search/served_columns.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

/// How one of so many questions is asked. What several say is joined as it is: what recalibrates them is the joining.
/// Sampled cells are not theirs: over 20 splits they gain .058 +- .014 nats where a gene a class decides (planted, 60 x
/// 500), and cost .018 +- .006 on lymphoma, .008 +- .003 on its four samples a class, 3.3 to 4 times the CPU on both
/// and on srbct, where they change nothing.
FitOptions options_of_a_question(FitOptions options, std::size_t question, std::size_t questions) {
  options.checkpoint = question_checkpoint(options.checkpoint, question, questions);
  if (questions == 1) return options;
  options.selection.recalibrate = false;
  options.grid.sparsest = false;
  return options;
}

/// Mixes what has been found, and trusts what carries weight further, until all of that is settled.
void trust_and_mix(const GridProblem& problem, const FitOptions& options, double how_loose, Answer& out,
                   ThreadPool& pool) {
  const MixOptions how{options.selection.by, problem.design.total_features(), problem.groups,
                       options.selection.recalibrate};
  const GridRun run = make_run(out.cells.solver, options);
  out.mixed = mix(out.cells.list, how);
  while (auto further = trust_more(out.cells.list, out.mixed.weight, problem, run, how_loose, pool)) {
    out.cells.list = std::move(*further);
    out.mixed = mix(out.cells.list, how);
  }
}

class Asking {
 public:
  Asking(const FitTable& table, const FitOptions& options, std::size_t questions)
      : table_(table), options_(options), questions_(questions) {
    if (questions == 1 || !options.observer.progress) return;
    options_.observer.progress = [this, told = options.observer.progress](Progress p) {
      const std::lock_guard lock(mutex_);
      p.cell = ++finished_;
      p.cells *= questions_;
      return told(p);
    };
  }

  /// `columns` of the grid are all that is looked at, where there are some.
  Answer operator()(std::size_t question, std::span<const std::size_t> columns, ThreadPool& pool) {
    const FitOptions options = options_of_a_question(options_, question, questions_);
    const std::uint32_t of_class = class_of_question(question, table_.samples.class_count());
    Answer out{of_class, against_rest(table_.samples.classes, of_class), {}, {}, {}, {}};
    GridProblem problem = table_.problem(out.labels, options);
    out.activation = problem.activation;
    if (policies().served_columns) problem.columns = columns;
    out.cells = search(*table_.prepared, problem, options, pool);
    trust_and_mix(problem, options, questions_ > 1 ? looser : 1, out, pool);
    if (out.mixed.loo_log_probability.empty())
      throw InputError(
          "no grid cell gave finite numbers: look at the data for extreme values, or try `value_transform=rank`");
    if (problem.groups && out.cells.solver == Solver::gamp &&
        out.cell(out.mixed.heaviest).left_out.right == Right::none)
      throw InputError(
          "gamp found no solution without a fifth of the groups of samples, and says nothing of groups left out "
          "otherwise: "
          "try a larger density or noise, or `solver=ep` where the table is small enough");
    out.average = average_features(out.cells.list, problem);
    BentMixed bent =
        answer_bent(table_, {out.labels, out.activation, out.cells.solver, questions_}, options, out.mixed, pool);
    out.bent = std::move(bent.answer);
    out.mixed = std::move(bent.mixed);
    // What only predictions need would fill memory for cells that make none.
    for (std::size_t k = 0; questions_ > 1 && k < out.size(); ++k)
      if (out.weight(k) == 0) out.cells.list[k] = without_features(std::move(out.cells.list[k]));
    return out;
  }

 private:
  const FitTable& table_;
  FitOptions options_;
  std::size_t questions_, finished_ = 0;
  std::mutex mutex_;
};

bool side_by_side(const FitTable& table, const ThreadPool& pool) {
  constexpr std::size_t most_values = 20'000'000;
  const Prepared& prepared = *table.prepared;
  return pool.size() > 1 && table.design->shards().alone() && prepared.features.is_dense() &&
         prepared.samples() * prepared.inputs() <= most_values;
}

}  // namespace

std::vector<Answer> answer_questions(const FitTable& table, const FitOptions& options, ThreadPool& pool) {
  std::vector<Answer> out(question_count(table.samples.class_count()));
  Asking ask(table, options, out.size());
  // The others look only at what served the first.
  const std::size_t first = out.size() == 1 ? 0 : most_even_class(table.samples);
  out[first] = ask(first, {}, pool);
  const std::vector<std::size_t> columns = served_columns(out[first].cells.list, table.together());
  const auto one = [&](std::size_t i, ThreadPool& threads) {
    const std::size_t question = i < first ? i : i + 1;
    out[question] = ask(question, columns, threads);
  };
  if (side_by_side(table, pool))
    pool.run(out.size() - 1, [&](std::size_t i) {
      ThreadPool alone(1);
      one(i, alone);
    });
  else
    for (std::size_t i = 0; i + 1 < out.size(); ++i) one(i, pool);
  return out;
}

}  // namespace cavity
