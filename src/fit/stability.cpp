// Share of halves that select a feature. With q features selected a half on average and p in all, those that are
// selected no more often than q/p are false; the expected number of them with a share of at least t is at most
// q^2/(p (2t - 1)), for complementary pairs and whatever the data (Shah & Samworth, theorem 1).
#include "cavity/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "cavity/errors.hpp"
#include "file/checksum.hpp"
#include "file/messages.hpp"
#include "fit/bend_classes.hpp"
#include "fit/describe.hpp"
#include "fit/half_fit.hpp"
#include "fit/half_log.hpp"
#include "fit/halves.hpp"
#include "fit/selection_shares.hpp"
#include "search/fit_bounds.hpp"

namespace cavity {

namespace {

constexpr std::uint64_t pair_stream = std::uint64_t{1} << 32;

void check_options(const StabilityOptions& options) {
  if (options.pairs < 1) throw UsageError("at least one pair of halves is needed (`pairs`)");
  if (options.selected < 1 && !options.rate) throw UsageError("at least one feature must be selected (`selected`)");
  if (options.rate && !(*options.rate > 0 && *options.rate < 1))
    throw UsageError(fmt::format("a false-discovery rate (`fdr`) lies between 0 and 1, got {:g}", *options.rate));
  if (!(options.threshold > 0.5 && options.threshold <= 1))
    throw UsageError(
        fmt::format("the share of halves (`threshold`) that makes a feature stable is above 1/2 and at "
                    "most 1, got {:g}",
                    options.threshold));
  if (options.fit.preprocessing.whiten)
    throw UsageError("whitened directions are other ones in every half: ask for stability without `whiten`");
}

/// Two classes, and a half of one sample is none. Groups are dealt out whole, and no group holds a class
/// (checked_groups).
void check_classes(const Dataset& data) {
  if (data.class_names.size() != 2)
    throw InputError(fmt::format("{} classes: this needs two", data.class_names.size()));
  for (std::uint32_t k = 0; k < 2 && data.groups.empty(); ++k)
    if (std::ranges::count(data.classes, k) == 1)
      throw InputError(
          fmt::format("class {} has one sample: halves need two of each class at least", shown(data.class_names[k])));
}

/// Inputs that a half selects.
std::vector<std::size_t> select(const std::vector<double>& inclusion, const StabilityOptions& options) {
  std::vector<std::size_t> order = ranked(inclusion);
  std::size_t count = options.selected;
  if (options.rate) {
    std::vector<double> falling;
    for (const std::size_t l : order) falling.push_back(inclusion[l]);
    count = discoveries(falling, *options.rate);
  }
  order.resize(std::min(count, order.size()));
  return order;
}

using Inclusions = std::vector<HalfInclusion>;  // a half

/// What the halves depend on beyond their number: the samples in them, the mixture and what it says of all samples.
std::uint64_t run_of(const FitTable& table, const Answer& a, const FitOptions& options) {
  Checksum sum;
  const auto add = [&sum](const auto& values) {
    sum.add({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])});
  };
  const std::vector<double> numbers = {static_cast<double>(options.solver.seed), options.solver.tolerance};
  add(numbers);
  add(a.labels);
  add(a.mixed.weight);
  if (table.groups) add(table.groups->of);
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a.weight(k) > 0) add(a.cell(k).posterior->inclusion);
  return sum.value();
}

Inclusions solve_halves(const FitTable& table, const Answer& a, const StabilityOptions& options, ThreadPool& pool) {
  const std::size_t halves = 2 * options.pairs;
  Inclusions out(halves);
  HalfLog log(options.fit.checkpoint, run_of(table, a, options.fit), table.design->features());
  std::mutex mutex;
  std::size_t done = 0;
  pool.run(halves, [&](std::size_t k) {
    std::unique_lock lock(mutex);
    if (const auto known = log.find(k)) {
      out[k] = *known;
    } else {
      lock.unlock();
      const HalfPair pair =
          draw_halves(a.labels, table.together(), Random(options.fit.solver.seed, pair_stream + k / 2));
      out[k] = half_inclusion(table, a, options.fit, k % 2 == 0 ? pair.first : pair.second);
      lock.lock();
      log.add(k, out[k]);
    }
    if (options.progress && !options.progress(++done, halves)) throw Interrupted();
  });
  return out;
}

/// Mean and standard deviation over halves.
struct Spread {
  double mean = 0, sd = 0;
};
Spread spread_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Spread out;
  double squares = 0;
  for (const double x : values) out.mean += x / count;
  for (const double x : values) squares += (x - out.mean) * (x - out.mean);
  if (values.size() > 1) out.sd = std::sqrt(squares / (count - 1));
  return out;
}

/// What the halves say, by feature of the file.
struct Halves {
  std::vector<std::vector<double>> inclusion;  // a half
  std::vector<std::vector<bool>> selected;     // a half

  Halves(const Inclusions& solved, const Prepared& prepared, const StabilityOptions& options) {
    const Preprocessing& p = prepared.preprocessing;
    for (const auto& half : solved) {
      if (!half) continue;
      inclusion.emplace_back(p.feature_names.size(), 0);
      selected.emplace_back(p.feature_names.size(), false);
      for (std::size_t l = 0; l < half->size(); ++l) inclusion.back()[p.kept[l]] = (*half)[l];
      for (const std::size_t l : select(*half, options)) selected.back()[p.kept[l]] = true;
    }
  }
  std::size_t count() const { return inclusion.size(); }

  GroupStability of(const std::vector<std::uint32_t>& features, const std::vector<double>& whole) const {
    GroupStability out{features};
    std::vector<double> together(count(), 0);
    std::size_t hits = 0;
    for (std::size_t k = 0; k < count(); ++k) {
      bool any = false;
      for (const std::uint32_t l : features) {
        together[k] += inclusion[k][l];
        any = any || selected[k][l];
      }
      together[k] = std::min(together[k], 1.0);
      hits += any ? 1 : 0;
    }
    for (const std::uint32_t l : features) out.inclusion += whole[l];
    out.inclusion = std::min(out.inclusion, 1.0);
    out.share = static_cast<double>(hits) / static_cast<double>(count());
    const Spread spread = spread_of(together);
    out.mean = spread.mean;
    out.sd = spread.sd;
    return out;
  }
};

/// What all halves say on average, by feature of the file.
struct AllHalves {
  SelectionShares shares;

  AllHalves(const FitTable& table, const Answer& a, const StabilityOptions& options, ThreadPool& pool) {
    const GridProblem problem = table.problem(a.labels, options.fit);
    std::vector<HalfAverage> cells;
    std::vector<double> weight;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a.weight(k) == 0) continue;
      cells.push_back(average_halves(problem.at(a.cell(k).where), *a.cell(k).posterior, pool));
      weight.push_back(a.weight(k));
      if (!cells.back().settled)
        throw InputError(
            fmt::format("the average over halves does not settle at density {:.4g} (residual {:.1e} after {} updates): "
                        "features that "
                        "are correlated or uneven need real halves, without `analytic`",
                        a.cell(k).where.density, cells.back().residual, cells.back().updates));
    }
    shares = selection_shares(cells, weight, {static_cast<double>(options.selected), options.rate});
    const Preprocessing& p = table.prepared->preprocessing;
    for (auto* values : {&shares.mean, &shares.sd, &shares.share}) {
      std::vector<double> of_file(p.feature_names.size(), 0);
      for (std::size_t l = 0; l < values->size(); ++l) of_file[p.kept[l]] = (*values)[l];
      *values = std::move(of_file);
    }
  }

  GroupStability of(const std::vector<std::uint32_t>& features, const std::vector<double>& whole) const {
    GroupStability out{features};
    double none = 1, variance = 0;
    for (const std::uint32_t l : features) {
      out.inclusion += whole[l];
      out.mean += shares.mean[l];
      variance += shares.sd[l] * shares.sd[l];
      none *= 1 - shares.share[l];
    }
    out.inclusion = std::min(out.inclusion, 1.0);
    out.mean = std::min(out.mean, 1.0);
    out.sd = std::sqrt(variance);
    out.share = 1 - none;
    return out;
  }
};

template <class Source>
void describe(const Source& halves, const Prepared& prepared, const StabilityOptions& options, Stability& out) {
  const FeatureEstimates& whole = out.fit.model.questions.front().features;
  out.threshold = options.threshold;
  for (std::uint32_t l = 0; l < whole.inclusion.size(); ++l) {
    const GroupStability one = halves.of({l}, whole.inclusion);
    out.mean.push_back(one.mean);
    out.sd.push_back(one.sd);
    out.share.push_back(one.share);
    out.mean_selected += one.share;
    if (one.share >= options.threshold - 1e-12) out.stable.push_back(l);
  }
  for (const auto& group : out.fit.model.correlated) out.groups.push_back(halves.of(group, whole.inclusion));
  std::ranges::stable_sort(out.stable, std::greater{}, [&](std::uint32_t l) { return out.share[l]; });
  const auto features = static_cast<double>(prepared.inputs());
  out.most_expected_false = out.mean_selected * out.mean_selected / (features * (2 * options.threshold - 1));
}

void describe_drawn(const FitTable& table, const Answer& a, const StabilityOptions& options, ThreadPool& pool,
                    Stability& out) {
  const Halves halves(solve_halves(table, a, options, pool), *table.prepared, options);
  if (halves.count() == 0)
    throw InputError(
        "no cell converged in any half of the samples: there may be too few of them, or the mixture is too sparse; "
        "name a larger density");
  out.halves = halves.count();
  out.failed = 2 * options.pairs - out.halves;
  describe(halves, *table.prepared, options, out);
}

void describe_average(const FitTable& table, const Answer& a, const StabilityOptions& options, ThreadPool& pool,
                      Stability& out) {
  if (a.cells.solver != Solver::gamp)
    throw UsageError(
        fmt::format("the average over halves (`analytic`) is that of gamp, and this fit takes {} ({}): ask for "
                    "`solver=gamp`, or for "
                    "real halves, without `analytic`",
                    to_string(a.cells.solver), a.cells.why));
  describe(AllHalves(table, a, options, pool), *table.prepared, options, out);
}

}  // namespace

void remove_checkpoint(const StabilityOptions& options) {
  remove_checkpoint(options.fit.checkpoint);
  remove_half_log(options.fit.checkpoint);
}

Stability stability(Dataset data, const StabilityOptions& options) {
  check_options(options);
  check_bounds(options.fit);
  check_classes(data);
  check_half_log(options.fit.checkpoint);
  Stability out;
  ThreadPool pool(options.fit.threads);
  const FitTable table = prepare_table(std::move(data), options.fit, Shards::whole(), pool);
  const std::vector<Answer> answers =
      bend_classes(table, answer_questions(table, options.fit, pool), options.fit, pool);
  out.fit = describe(table, answers, calibrate(table, answers, options.fit, pool), options.fit, pool);
  (options.analytic ? describe_average : describe_drawn)(table, answers.front(), options, pool, out);
  return out;
}

}  // namespace cavity
