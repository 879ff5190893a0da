#include "fit/labelled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assess/class_weights.hpp"
#include "cavity/errors.hpp"
#include "file/checksum.hpp"
#include "file/messages.hpp"
#include "search/search.hpp"
#include "table/numbering.hpp"

namespace cavity {

namespace {

/// In 32 bits, which a double holds exactly.
double checksum_of(const Dataset& data, const FitOptions& options) {
  Checksum sum;
  const auto add = [&sum](const std::string& text) { sum.add(fmt::format("{}:{}", text.size(), text)); };
  for (const auto& name : data.feature_names) add(name);
  for (const auto& name : data.class_names) add(name);
  for (const auto& name : data.groups) add(name);
  sum.add({reinterpret_cast<const char*>(data.classes.data()), data.classes.size() * sizeof(std::uint32_t)});
  for (const auto* values : {&options.grid.density, &options.grid.noise, &options.grid.width})
    for (const double value : *values) add(std::to_string(value));
  return static_cast<double>(static_cast<std::uint32_t>(sum.value()));
}

/// Tables in other forms hold genotypes, words or counts of cells, and nobody's number.
std::vector<std::string> numbering_of(const Dataset& data) {
  std::vector<std::string> out;
  if (!data.features.is_dense()) return out;
  for (const NumberingColumn& id : numbering_columns(data.features.dense(), data.feature_names, data.classes))
    out.push_back(fmt::format("{} {}", shown(data.feature_names[id.column]), id.why));
  return out;
}

}  // namespace

Labelled checked_labels(const Dataset& data) {
  const std::size_t count = data.class_names.size();
  if (data.classes.size() != data.samples())
    throw InputError(fmt::format("{} labels for {} samples", data.classes.size(), data.samples()));
  const auto none = std::find_if(data.classes.begin(), data.classes.end(), [&](std::uint32_t k) { return k >= count; });
  if (none != data.classes.end())
    throw InputError(fmt::format("sample {} has no class", none - data.classes.begin() + 1));
  std::vector<std::size_t> counts = class_counts(data.classes, count);
  const auto empty = static_cast<std::size_t>(std::ranges::find(counts, 0U) - counts.begin());
  if (count == 2 && empty < count) throw InputError("all samples are of one class: two classes are required");
  if (empty < count)
    throw InputError(
        fmt::format("class {} has no sample: leave it out of the classes", shown(data.class_names[empty])));
  return {data.classes,      std::move(counts), data.class_names, data.label_name,   data.id_name,
          data.sample_names, data.groups,       data.notes,       numbering_of(data)};
}

std::optional<SampleGroups> checked_groups(const Dataset& data, const FitOptions& options, const Shards& shards) {
  if (data.groups.empty()) return std::nullopt;
  if (data.groups.size() != data.samples())
    throw InputError(fmt::format("{} names of groups for {} samples", data.groups.size(), data.samples()));
  const SolverPick pick = pick_solver(options.solver.kind, data.features, data.features.cols(), shards);
  if (pick.solver != Solver::ep && pick.solver != Solver::gamp)
    throw UsageError(fmt::format(
        "groups of samples (`group`) are left out together by ep and gamp, and this fit takes {} ({}): ask for "
        "one of these, or keep one sample, or the mean, of each group",
        to_string(pick.solver), pick.why));
  SampleGroups groups = gather_groups(data.groups);
  if (groups.count() == 1)
    throw InputError(fmt::format("all samples belong to one group, {}: nothing is left when it is left out",
                                 shown(data.groups.front())));
  const std::vector<std::size_t> all = class_counts(data.classes, data.class_names.size());
  for (const auto& members : groups.members) {
    std::vector<std::size_t> left = all;
    for (const std::size_t mu : members) --left[data.classes[mu]];
    const auto none = std::ranges::find(left, 0U);
    if (none == left.end()) continue;
    throw InputError(fmt::format(
        "group {} holds every sample of class {}: with it left out that class is gone; its error cannot "
        "be known without samples of that class in another group",
        shown(data.groups[members.front()]), shown(data.class_names[static_cast<std::size_t>(none - left.begin())])));
  }
  return groups;
}

void check_class_prior(const FitOptions& options, const std::vector<std::string>& class_names) {
  const std::vector<double>& shares = options.class_prior;
  if (shares.empty()) return;
  const bool positive = std::ranges::all_of(shares, [](double share) { return share > 0; });
  const double off = std::abs(std::accumulate(shares.begin(), shares.end(), -1.0));
  if (shares.size() == class_names.size() && positive && off <= 1e-6) return;
  if (class_names.size() == 2 && shares.size() == 2)
    throw UsageError(fmt::format(
        "class probabilities of the population (`class_prior`) must be positive with sum 1, got {:g} and {:g}",
        shares[0], shares[1]));
  throw UsageError(
      fmt::format("class probabilities of the population (`class_prior`) must be {} positive numbers with sum 1, in "
                  "the order {}; got {}",
                  class_names.size(), shown_names(class_names, 10), fmt::join(shares, ", ")));
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
