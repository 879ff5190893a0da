#include "fit/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "assess/one_step.hpp"
#include "fit/class_folds.hpp"

namespace cavity {

namespace {

constexpr std::size_t parts_of_whole = 4;  // the curve goes by quarters of the samples, to twice as many
constexpr std::size_t most_parts = 24;     // of each size; those of many samples know it well
constexpr std::uint64_t part_stream = 1 << 23;

using Samples = std::vector<std::size_t>;

Samples shuffled(std::size_t count, Random& random) {
  Samples out(count);
  std::iota(out.begin(), out.end(), 0);
  for (std::size_t i = 0; i + 1 < count; ++i) std::swap(out[i], out[i + random.below(count - i)]);
  return out;
}

/// In the order of the table. Samples alone: the classes' shares are kept.
Samples draw_part(const ForecastInput& input, double share, Random random) {
  Samples out;
  const auto wanted = [share](std::size_t count) {
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(count)));
  };
  if (input.groups) {
    for (const std::size_t group : shuffled(input.groups->count(), random)) {
      if (out.size() >= wanted(input.classes.size())) break;
      out.insert(out.end(), input.groups->members[group].begin(), input.groups->members[group].end());
    }
  } else {
    std::vector<std::size_t> left(input.class_count, 0);
    for (const std::uint32_t k : input.classes) ++left[k];
    for (std::size_t& count : left) count = wanted(count);
    for (const std::size_t mu : shuffled(input.classes.size(), random))
      if (left[input.classes[mu]] > 0) {
        --left[input.classes[mu]];
        out.push_back(mu);
      }
  }
  std::ranges::sort(out);
  return out;
}

bool enough(const ForecastInput& input, const Samples& part) {
  std::vector<std::size_t> counts(input.class_count, 0);
  for (const std::size_t mu : part) ++counts[input.classes[mu]];
  return std::ranges::all_of(counts, [](std::size_t count) { return count >= fewest_of_a_class; });
}

SampleGroups groups_of(const SampleGroups& all, const Samples& part) {
  std::vector<std::string> names;
  for (const std::size_t mu : part) names.push_back(std::to_string(all.of[mu]));
  return gather_groups(names);
}

/// Of the kernel on these samples alone.
double error_of(const ForecastInput& input, const Samples& part, ThreadPool& pool) {
  const std::vector<Eigen::Index> at(part.begin(), part.end());
  Matrix kernel = input.kernel(at, at);
  kernel *= static_cast<double>(part.size()) / kernel.trace();
  const Matrix covariates = input.covariates(at, Eigen::all);
  std::vector<std::uint32_t> classes;
  for (const std::size_t mu : part) classes.push_back(input.classes[mu]);
  std::optional<SampleGroups> groups;
  if (input.groups) groups = groups_of(*input.groups, part);
  const Labelling labelled{covariates, classes, input.class_count, groups ? &*groups : nullptr};
  Samples as_they_are(part.size());
  std::iota(as_they_are.begin(), as_they_are.end(), 0);
  return OneStep(kernel, labelled, pool).figures({&as_they_are, 1}, pool).front().error;
}

double share_of(std::size_t quarters) { return static_cast<double>(quarters) / parts_of_whole; }

double operations_of_a_set(std::size_t samples) {
  double out = 0;
  for (std::size_t k = 1; k < parts_of_whole; ++k)
    out += OneStep::operations_once(static_cast<std::size_t>(share_of(k) * static_cast<double>(samples)));
  return out;
}

/// Mean errors of a quarter, two and three, less that of all samples; nothing where a part has too few of a class.
std::optional<std::vector<double>> losses_of_parts(const ForecastInput& input, std::size_t parts, std::uint64_t seed,
                                                   ThreadPool& pool) {
  const std::size_t sizes = parts_of_whole - 1;
  std::vector<Samples> drawn;
  for (std::size_t i = 0; i < sizes * parts; ++i)
    drawn.push_back(draw_part(input, share_of(i % sizes + 1), Random(seed, part_stream + i)));
  if (!std::ranges::all_of(drawn, [&](const Samples& part) { return enough(input, part); })) return std::nullopt;
  std::vector<double> error(drawn.size());
  pool.run(drawn.size(), [&](std::size_t i) {
    ThreadPool alone(1);
    error[i] = error_of(input, drawn[i], alone);
  });
  Samples all(input.classes.size());
  std::iota(all.begin(), all.end(), 0);
  const double whole = error_of(input, all, pool);
  std::vector<double> out(sizes, -whole);
  for (std::size_t i = 0; i < error.size(); ++i) out[i % sizes] += error[i] / static_cast<double>(parts);
  return out;
}

/// `lost`: what the error has more than that of all samples, from `least` to `most` of it.
ForecastPoint point_at(double samples, const KnownError& fit, double lost, double least, double most) {
  const double worst = std::max(fit.guessing, fit.interval.high);
  const auto inside = [worst](double error) { return std::clamp(error, 0.0, worst); };
  return {samples, inside(fit.error + lost), inside(fit.interval.low + least), inside(fit.interval.high + most)};
}

}  // namespace

Forecast forecast_error(const ForecastInput& input, const KnownError& fit, const ForecastOptions& options,
                        ThreadPool& pool) {
  const std::size_t samples = input.classes.size();
  const auto parts = static_cast<std::size_t>(
      std::min(options.operations / operations_of_a_set(samples), static_cast<double>(most_parts)));
  if (parts == 0)
    return {{}, fmt::format("parts of {} samples would take more than {:.1g} operations", samples, options.operations)};
  if (!(input.kernel.trace() > 0)) return {{}, "the features do not vary"};
  const auto lost = losses_of_parts(input, parts, options.seed, pool);
  if (!lost) return {{}, fmt::format("a quarter of the samples has fewer than {} of a class", fewest_of_a_class)};
  Forecast out;
  const auto all = static_cast<double>(samples);
  for (std::size_t i = 0; i < lost->size(); ++i)
    out.points.push_back(
        point_at(share_of(i + 1) * all, fit, (*lost)[i], std::min((*lost)[i], 0.0), std::max((*lost)[i], 0.0)));
  const double halving = std::max((*lost)[parts_of_whole / 2 - 1], 0.0);
  for (std::size_t k = parts_of_whole; k <= 2 * parts_of_whole; ++k) {
    const double doublings = std::log2(share_of(k));
    out.points.push_back(point_at(share_of(k) * all, fit, -0.5 * doublings * halving, -doublings * halving, 0));
  }
  return out;
}

}  // namespace cavity
