#include "cavity/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/threads.hpp"
#include "cavity/errors.hpp"
#include "compare/split.hpp"
#include "fit/estimate.hpp"

namespace cavity {

namespace {

void judge(const Prediction& predicted, const Dataset& test, SplitResult& out) {
  out.test = test.samples();
  const Matrix probability =
      Eigen::Map<const Matrix>(predicted.probabilities.data(), static_cast<Eigen::Index>(out.test),
                               static_cast<Eigen::Index>(predicted.classes));
  const Losses losses = losses_of(probability, test.classes);
  for (std::size_t i = 0; i < out.test; ++i) {
    out.error += losses.wrong[i];
    out.log_loss += losses.log[i];
  }
  out.error /= static_cast<double>(out.test);
  out.log_loss /= static_cast<double>(out.test);
}

// What is left without a classifier: the class shares of the training part.
Prediction guess(const Dataset& train, std::size_t test) {
  std::vector<double> share(train.class_names.size(), 0);
  const double one = 1 / static_cast<double>(train.samples());
  for (const std::uint32_t k : train.classes) share[k] += one;
  Prediction out;
  out.classes = share.size();
  for (std::size_t i = 0; i < test; ++i) out.probabilities.insert(out.probabilities.end(), share.begin(), share.end());
  return out;
}

// The cells of all questions, and the heaviest of the first.
void describe_cells(const Fit& made, SplitResult& out) {
  const Cell& first = made.questions.front().chosen_cell();
  out.status = first.status;
  out.density = first.density;
  out.noise = first.noise;
  for (const QuestionFit& question : made.questions) {
    out.cells += question.grid.size();
    for (const Cell& cell : question.grid) out.settled += cell.usable;
  }
}

// The others are tuned sample by sample; no group is in both parts all the same.
bool tunes_by_groups(const CompareMethod& method) { return !method.baseline && method.fit.solver.kind == Solver::ep; }

SplitResult run_method(const CompareMethod& method, Dataset train, const Dataset& test) {
  SplitResult out;
  out.method = method.name;
  if (!tunes_by_groups(method)) train.groups.clear();
  try {
    const Fit made = method.baseline ? fit_baseline(train, method.baseline_options) : fit(train, method.fit);
    describe_cells(made, out);
    judge(predict(made.model, test, 1), test, out);
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error&) {
    out.status = "failed";
    out.error = out.log_loss = 0;
    judge(guess(train, test.samples()), test, out);
  }
  return out;
}

std::vector<SplitResult> run_split(const std::vector<Dataset>& tables, const std::vector<CompareMethod>& methods,
                                   const CompareOptions& options, std::size_t number) {
  const Split split = draw_split(tables.front(), options, number);
  std::vector<Dataset> train, test;
  for (const Dataset& table : tables) {
    train.push_back(take_samples(table, split.train));
    test.push_back(take_samples(table, split.test));
  }
  std::vector<SplitResult> out;
  for (const CompareMethod& method : methods) {
    out.push_back(run_method(method, train[method.table], test[method.table]));
    out.back().split = number;
  }
  return out;
}

void check(const std::vector<Dataset>& tables, const std::vector<CompareMethod>& methods,
           const CompareOptions& options) {
  if (tables.empty() || methods.empty()) throw UsageError("nothing to compare: a table and a method are needed");
  const std::size_t samples = tables.front().samples(), train = training_size(options, samples);
  if (train < 2 || train >= samples)
    throw UsageError(
        fmt::format("{} training samples out of {}: at least 2 must train and 1 must be left to test", train, samples));
  for (const CompareMethod& method : methods)
    if (method.baseline && tables.front().class_names.size() != 2)
      throw UsageError(fmt::format("method '{}' knows two classes, and the data have {}", method.name,
                                   tables.front().class_names.size()));
  for (const auto& table : tables)
    if (table.classes != tables.front().classes) throw UsageError("the tables do not hold the same samples");
}

}  // namespace

std::size_t training_size(const CompareOptions& options, std::size_t samples) {
  return options.train > 0 ? options.train : (2 * samples + 1) / 3;
}

std::vector<SplitResult> compare(const std::vector<Dataset>& tables, const std::vector<CompareMethod>& methods,
                                 const CompareOptions& options) {
  check(tables, methods, options);
  std::vector<std::size_t> todo;
  for (std::size_t s = 1; s <= options.splits; ++s)
    if (std::find(options.skip.begin(), options.skip.end(), s) == options.skip.end()) todo.push_back(s);
  std::vector<std::vector<SplitResult>> slots(todo.size());
  std::mutex mutex;
  ThreadPool pool(options.threads);
  pool.run(todo.size(), [&](std::size_t i) {
    slots[i] = run_split(tables, methods, options, todo[i]);
    const std::lock_guard lock(mutex);
    if (options.finished) options.finished(slots[i]);
  });
  std::vector<SplitResult> out;
  for (const auto& slot : slots) out.insert(out.end(), slot.begin(), slot.end());
  return out;
}

}  // namespace cavity
