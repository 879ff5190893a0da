#include "compare/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "assess/sample_groups.hpp"
#include "base/random.hpp"
#include "cavity/errors.hpp"

namespace cavity {

namespace {

constexpr std::uint64_t most_draws = 100;

void shuffle(std::vector<std::size_t>& samples, Random& random) {
  for (std::size_t i = samples.size(); i > 1; --i) std::swap(samples[i - 1], samples[random.below(i)]);
}

Split cut(std::vector<std::size_t> order, std::size_t train) {
  Split out;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(train);
  out.train.assign(order.begin(), middle);
  out.test.assign(middle, order.end());
  return out;
}

Split draw_plain(const Dataset& data, std::size_t train, Random& random) {
  std::vector<std::size_t> order(data.samples());
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, random);
  return cut(std::move(order), train);
}

// More than two classes: the share of each in turn, what rounding leaves over going on to the next; at least one of
// each, and one of each left where there are two or more.
Split draw_stratified_classes(const Dataset& data, std::size_t train, Random& random) {
  std::vector<std::vector<std::size_t>> members(data.class_names.size());
  for (std::size_t i = 0; i < data.samples(); ++i) members[data.classes[i]].push_back(i);
  const double share = static_cast<double>(train) / static_cast<double>(data.samples());
  Split out;
  double owed = 0;
  for (auto& one : members) {
    shuffle(one, random);
    owed += share * static_cast<double>(one.size());
    const auto wanted = static_cast<std::size_t>(std::max(std::lround(owed), 1L));
    const std::size_t taken = std::min(wanted, std::max<std::size_t>(one.size(), 2) - 1);
    const Split part = cut(one, taken);
    owed -= static_cast<double>(taken);
    out.train.insert(out.train.end(), part.train.begin(), part.train.end());
    out.test.insert(out.test.end(), part.test.begin(), part.test.end());
  }
  return out;
}

// Each class gives its share of the training part, rounded, at least one.
Split draw_stratified(const Dataset& data, std::size_t train, Random& random) {
  std::array<std::vector<std::size_t>, 2> members;
  for (std::size_t i = 0; i < data.samples(); ++i) members[data.classes[i]].push_back(i);
  for (auto& one : members) shuffle(one, random);
  const double share = static_cast<double>(train) / static_cast<double>(data.samples());
  const auto wanted = static_cast<std::size_t>(std::lround(share * static_cast<double>(members[1].size())));
  const std::size_t least = train > members[0].size() ? train - members[0].size() : 1;
  const std::size_t positive = std::clamp(wanted, std::max<std::size_t>(least, 1), std::max<std::size_t>(train, 2) - 1);
  Split out = cut(members[1], std::min(positive, members[1].size()));
  const Split rest = cut(members[0], train - out.train.size());
  out.train.insert(out.train.end(), rest.train.begin(), rest.train.end());
  out.test.insert(out.test.end(), rest.test.begin(), rest.test.end());
  return out;
}

// The class that most of its samples have, the first of equal ones.
std::size_t class_of_group(const Dataset& data, const std::vector<std::size_t>& members) {
  std::vector<std::size_t> count(data.class_names.size(), 0);
  for (const std::size_t i : members) ++count[data.classes[i]];
  return static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
}

// Whole groups train as long as that brings the training samples nearer to what is wanted; stratified, class by class,
// what is too many or too few going on to the next.
Split draw_groups(const Dataset& data, const CompareOptions& options, std::size_t train, Random& random) {
  const SampleGroups groups = gather_groups(data.groups);
  std::vector<std::vector<std::size_t>> strata(options.stratified ? data.class_names.size() : 1);
  for (std::size_t g = 0; g < groups.count(); ++g)
    strata[options.stratified ? class_of_group(data, groups.members[g]) : 0].push_back(g);
  const double share = static_cast<double>(train) / static_cast<double>(data.samples());
  Split out;
  double owed = 0;
  for (auto& stratum : strata) {
    shuffle(stratum, random);
    for (const std::size_t g : stratum) owed += share * static_cast<double>(groups.members[g].size());
    for (const std::size_t g : stratum) {
      const auto& members = groups.members[g];
      const bool trains = 2 * owed > static_cast<double>(members.size());
      if (trains) owed -= static_cast<double>(members.size());
      auto& part = trains ? out.train : out.test;
      part.insert(part.end(), members.begin(), members.end());
    }
  }
  return out;
}

// The first class of which too few train, the number of classes for none: a sample, or samples of two groups, since
// those of one are left out together.
std::size_t missing_class(const Dataset& data, const Split& split) {
  std::vector<std::set<std::size_t>> there(data.class_names.size());
  const SampleGroups groups = gather_groups(data.groups);
  for (const std::size_t i : split.train) there[data.classes[i]].insert(data.groups.empty() ? 0 : groups.of[i]);
  const std::size_t fewest = data.groups.empty() ? 1 : 2;
  const auto found = std::find_if(there.begin(), there.end(), [&](const auto& one) { return one.size() < fewest; });
  return static_cast<std::size_t>(found - there.begin());
}

Split draw(const Dataset& data, const CompareOptions& options, std::size_t train, Random& random) {
  if (!data.groups.empty()) return draw_groups(data, options, train, random);
  if (!options.stratified) return draw_plain(data, train, random);
  return data.class_names.size() > 2 ? draw_stratified_classes(data, train, random)
                                     : draw_stratified(data, train, random);
}

}  // namespace

Split draw_split(const Dataset& data, const CompareOptions& options, std::size_t number) {
  const std::size_t train = training_size(options, data.samples());
  std::size_t missing = 0;
  for (std::uint64_t attempt = 0; attempt < most_draws; ++attempt) {
    Random random(options.seed, number + (attempt << 40));
    Split split = draw(data, options, train, random);
    missing = missing_class(data, split);
    if (missing < data.class_names.size() || split.test.empty()) continue;
    std::sort(split.train.begin(), split.train.end());
    std::sort(split.test.begin(), split.test.end());
    return split;
  }
  if (!data.groups.empty())
    throw UsageError(fmt::format(
        "split {}: {} draws of about {} training samples out of {}, in whole groups, left none to test or had less "
        "than "
        "two groups of class '{}'; there are {} groups: change `train` or use `stratified`",
        number, most_draws, train, data.samples(), data.class_names[std::min(missing, data.class_names.size() - 1)],
        gather_groups(data.groups).count()));
  throw UsageError(fmt::format(
      "split {}: {} draws of {} training samples out of {} had none of class '{}'; raise `train` or use `stratified`",
      number, most_draws, train, data.samples(), data.class_names[missing]));
}

Dataset take_samples(const Dataset& data, const std::vector<std::size_t>& samples) {
  Dataset out;
  const FeatureMatrix& all = data.features.dense();
  FeatureMatrix values(samples.size(), all.cols);
  out.feature_names = data.feature_names;
  out.class_names = data.class_names;
  out.label_name = data.label_name;
  out.absent_is_zero = data.absent_is_zero;
  for (const auto& column : data.covariates) out.covariates.push_back({column.name, {}});
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::size_t from = samples[i];
    std::copy_n(all.row(from), all.cols, values.row(i));
    if (!data.classes.empty()) out.classes.push_back(data.classes[from]);
    if (!data.groups.empty()) out.groups.push_back(data.groups[from]);
    if (!data.sample_names.empty()) out.sample_names.push_back(data.sample_names[from]);
    for (std::size_t j = 0; j < data.covariates.size(); ++j)
      out.covariates[j].values.push_back(data.covariates[j].values[from]);
  }
  out.features = std::move(values);
  return out;
}

}  // namespace cavity
