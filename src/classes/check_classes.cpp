#include "classes/check_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cavity/errors.hpp"
#include "file/messages.hpp"

namespace cavity {

std::vector<std::size_t> checked_counts(const Dataset& data) {
  const std::size_t classes = data.class_names.size();
  if (data.classes.size() != data.samples())
    throw InputError(fmt::format("{} labels for {} samples", data.classes.size(), data.samples()));
  std::vector<std::size_t> counts(classes, 0);
  for (std::size_t mu = 0; mu < data.classes.size(); ++mu) {
    if (data.classes[mu] >= classes) throw InputError(fmt::format("sample {} has no class", mu + 1));
    ++counts[data.classes[mu]];
  }
  for (std::size_t k = 0; k < classes; ++k)
    if (counts[k] == 0)
      throw InputError(fmt::format("class {} has no sample: leave it out of the classes", shown(data.class_names[k])));
  return counts;
}

void check_shares(const FitOptions& options, const std::vector<std::string>& class_names) {
  if (options.population)
    throw UsageError(
        fmt::format("`prior` is one share of a positive class, and there are {} classes: give a share of each, in the "
                    "order {}, with sum 1, or uniform",
                    class_names.size(), shown_names(class_names, 10)));
  const std::vector<double>& shares = options.class_shares;
  if (shares.empty()) return;
  const bool positive = std::all_of(shares.begin(), shares.end(), [](double share) { return share > 0; });
  if (shares.size() == class_names.size() && positive &&
      std::abs(std::accumulate(shares.begin(), shares.end(), -1.0)) <= 1e-6)
    return;
  throw UsageError(fmt::format(
      "class probabilities of the population (`prior`) must be {} positive numbers with sum 1, in the order {}; got {}",
      class_names.size(), shown_names(class_names, 10), fmt::join(shares, ", ")));
}

std::vector<std::int8_t> against_rest(const std::vector<std::uint32_t>& classes, std::size_t of_class) {
  std::vector<std::int8_t> out;
  for (const std::uint32_t k : classes) out.push_back(k == of_class ? 1 : -1);
  return out;
}

}  // namespace cavity
