#include "cavity/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/threads.hpp"
#include "cavity/errors.hpp"
#include "compare/split.hpp"
#include "model/score.hpp"

namespace cavity {

namespace {

void judge(const std::vector<double>& probability, const std::vector<std::int8_t>& labels, SplitResult& out) {
  out.test = labels.size();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double own = labels[i] > 0 ? probability[i] : 1 - probability[i];
    out.error += wrong_label(own);
    out.log_loss += log_loss(own);
  }
  out.error /= static_cast<double>(labels.size());
  out.log_loss /= static_cast<double>(labels.size());
}

// What is left without a classifier: the class shares of the training part.
std::vector<double> guess(const Dataset& train, std::size_t test) {
  const auto positive = std::count(train.labels.begin(), train.labels.end(), std::int8_t{1});
  return std::vector<double>(test, static_cast<double>(positive) / static_cast<double>(train.samples()));
}

SplitResult run_method(const CompareMethod& method, const Dataset& train, const Dataset& test) {
  SplitResult out;
  out.method = method.name;
  try {
    const Fit made = method.baseline ? fit_baseline(train, method.baseline_options) : fit(train, method.fit);
    const Cell& chosen = made.grid[made.chosen];
    out.status = chosen.status;
    out.density = chosen.density;
    out.noise = chosen.noise;
    out.cells = made.grid.size();
    for (const Cell& cell : made.grid) out.settled += cell.usable;
    judge(predict(made.model, test, 1).probability, test.labels, out);
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error&) {
    out.status = "failed";
    out.error = out.log_loss = 0;
    judge(guess(train, test.samples()), test.labels, out);
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
  if (!tables.front().groups.empty())
    throw UsageError(
        "splits are drawn sample by sample, and would part those of a group: `group` belongs to fit; keep one sample, "
        "or the mean, of each group");
  for (const auto& table : tables)
    if (table.labels != tables.front().labels) throw UsageError("the tables do not hold the same samples");
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
