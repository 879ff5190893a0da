#include "select/check_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "file/checksum.hpp"
#include "file/messages.hpp"
#include "grid/solve.hpp"

namespace cavity {

namespace {

/// In 32 bits, which a double holds exactly.
double checksum_of(const Dataset& data, const FitOptions& options) {
  Checksum sum;
  const auto add = [&sum](const std::string& text) { sum.add(fmt::format("{}:{}", text.size(), text)); };
  for (const auto& name : data.feature_names) add(name);
  for (const auto& name : data.class_names) add(name);
  for (const auto& name : data.groups) add(name);
  sum.add({reinterpret_cast<const char*>(data.labels.data()), data.labels.size()});
  sum.add({reinterpret_cast<const char*>(data.classes.data()), data.classes.size() * sizeof(data.classes[0])});
  for (const auto* values : {&options.grid.density, &options.grid.noise, &options.grid.width})
    for (const double value : *values) add(std::to_string(value));
  return static_cast<double>(static_cast<std::uint32_t>(sum.value()));
}

}  // namespace

Labelled checked_labels(const Dataset& data) {
  if (data.several_classes()) throw InputError(fmt::format("{} classes: this needs two", data.class_names.size()));
  if (data.labels.size() != data.samples())
    throw InputError(fmt::format("{} labels for {} samples", data.labels.size(), data.samples()));
  const auto positive = std::count(data.labels.begin(), data.labels.end(), std::int8_t{1});
  if (positive == 0 || positive == static_cast<std::ptrdiff_t>(data.labels.size()))
    throw InputError("all samples are of one class: two classes are required");
  return {data.labels, data.class_names, data.label_name, data.id_name, data.sample_names, data.groups, data.notes};
}

std::optional<SampleGroups> checked_groups(const Dataset& data, const FitOptions& options, const Shards& shards) {
  if (data.groups.empty()) return std::nullopt;
  if (data.groups.size() != data.samples())
    throw InputError(fmt::format("{} names of groups for {} samples", data.groups.size(), data.samples()));
  const SolverPick pick = pick_solver(options.solver.kind, data.features, data.features.cols(), shards);
  if (pick.solver != Solver::ep)
    throw UsageError(fmt::format(
        "groups of samples (`group`) are left out together by ep alone, and this fit takes {} ({}): ask for "
        "`solver=ep` where the table is small enough, or keep one sample, or the mean, of each group",
        to_string(pick.solver), pick.why));
  SampleGroups groups = gather_groups(data.groups);
  if (groups.count() == 1)
    throw InputError(fmt::format("all samples belong to one group, {}: nothing is left when it is left out",
                                 shown(data.groups.front())));
  const auto class_of = [&](std::size_t mu) {
    return data.several_classes() ? std::size_t{data.classes[mu]} : std::size_t{data.labels[mu] > 0};
  };
  std::vector<std::size_t> all(data.class_names.size());
  for (std::size_t mu = 0; mu < data.samples(); ++mu) ++all[class_of(mu)];
  for (const auto& members : groups.members) {
    std::vector<std::size_t> left = all;
    for (const std::size_t mu : members) --left[class_of(mu)];
    const auto none = std::ranges::find(left, 0U);
    if (none == left.end()) continue;
    throw InputError(fmt::format(
        "group {} holds every sample of class {}: with it left out that class is gone; its error cannot "
        "be known without samples of that class in another group",
        shown(data.groups[members.front()]), shown(data.class_names[static_cast<std::size_t>(none - left.begin())])));
  }
  return groups;
}

void check_population(const FitOptions& options) {
  if (!options.population) return;
  const auto [negative, positive] = *options.population;
  if (!(negative > 0 && positive > 0 && std::abs(negative + positive - 1) <= 1e-6))
    throw UsageError(
        fmt::format("class probabilities of the population (`prior`) must be positive with sum 1, got {:g} "
                    "and {:g}",
                    negative, positive));
}

void check_processes(const Dataset& data, const FitOptions& options, const Shards& shards) {
  if (shards.alone()) return;
  if (options.solver.kind == Solver::bp || options.solver.kind == Solver::gibbs)
    throw UsageError("several processes run ep, gamp or amp; bp and gibbs need one process");
  if (options.selection.check_loo > 0) throw UsageError("`check_loo` refits in one process");
  const double mine[] = {static_cast<double>(data.samples()), static_cast<double>(data.features.cols()),
                         checksum_of(data, options)};
  const std::vector<double> all = shards.join(mine);
  for (std::size_t r = 1; r < shards.ranks(); ++r) {
    if (std::equal(all.begin(), all.begin() + 3, all.begin() + static_cast<std::ptrdiff_t>(3 * r))) continue;
    throw InputError(fmt::format(
        "process {} has read {:.0f} samples x {:.0f} features, the first process {:.0f} x {:.0f}, or with other names, "
        "labels or options: every process must see the same file and the same command line",
        r, all[3 * r], all[3 * r + 1], all[0], all[1]));
  }
}

}  // namespace cavity
