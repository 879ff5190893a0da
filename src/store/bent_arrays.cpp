#include "store/bent_arrays.hpp"

#include <algorithm>
#include <cmath>

#include "model/activation_kind.hpp"

namespace cavity {

namespace {

constexpr std::size_t numbers_a_cell = 6;

std::string array_of(const std::string& prefix, std::size_t k, const char* what) {
  return prefix + "bent" + std::to_string(k) + "/" + what;
}

bool in_range(const std::vector<double>& values, double low) {
  return std::ranges::all_of(values, [=](double x) { return std::isfinite(x) && x >= low; });
}

bool sound(const BentComponent& c, ActivationKind kind) {
  constexpr double any = -1e300;
  const bool seen = c.width == 0 ? is_valid_noise(kind, c.noise)
                                 : kind == ActivationKind::step && c.noise >= 0 && c.noise < 0.5 && c.width > 0 &&
                                       std::isfinite(c.width);
  return seen && c.weight >= 0 && c.weight <= 1 && in_range({c.bent, c.straight, c.level}, 0) &&
         in_range(c.relevance, 0) && in_range(c.sample_precision, 0) && in_range(c.sample_linear, any);
}

}  // namespace

BentArrays::BentArrays(const BentMixture& mixture) : mixture_(mixture), share_{mixture.share} {
  for (const BentComponent& c : mixture.components)
    numbers_.insert(numbers_.end(), {c.noise, c.width, c.weight, c.bent, c.straight, c.level});
}

void BentArrays::add(const std::string& prefix, ArrayWriter& file) const {
  if (mixture_.share == 0) return;
  file.add(prefix + "bent_share", share_);
  file.add(prefix + "bent", numbers_, {mixture_.components.size(), numbers_a_cell});
  for (std::size_t k = 0; k < mixture_.components.size(); ++k) {
    const BentComponent& c = mixture_.components[k];
    file.add(array_of(prefix, k, "relevance"), c.relevance);
    file.add(array_of(prefix, k, "sample_precision"), c.sample_precision);
    file.add(array_of(prefix, k, "sample_linear"), c.sample_linear);
  }
}

BentMixture read_bent(const ArrayReader& file, const std::string& prefix) {
  if (!file.has(prefix + "bent_share")) return {};
  Shape shape;
  const auto share = file.read<double>(prefix + "bent_share"), numbers = file.read<double>(prefix + "bent", &shape, 2);
  if (share.size() != 1 || shape[1] != numbers_a_cell) file.damaged("its bent cells do not have six numbers each");
  BentMixture out{share.front(), {}};
  for (std::size_t k = 0; k < shape[0]; ++k) {
    const double* n = numbers.data() + numbers_a_cell * k;
    out.components.push_back({n[0], n[1], n[2], n[3], n[4], n[5], file.read<double>(array_of(prefix, k, "relevance")),
                              file.read<double>(array_of(prefix, k, "sample_precision")),
                              file.read<double>(array_of(prefix, k, "sample_linear"))});
  }
  return out;
}

std::string bent_fault(const CellMixture& mixture, std::size_t inputs, std::size_t samples) {
  const BentMixture& bent = mixture.bent;
  if (!(bent.share >= 0 && bent.share <= 1) || (bent.share == 0) != bent.components.empty())
    return "a share of bent cells that are not there";
  for (const BentComponent& c : bent.components) {
    if (c.relevance.size() != inputs) return "a bent cell with relevances of other features";
    if (samples == 0 || c.sample_precision.size() != samples || c.sample_linear.size() != samples)
      return "a bent cell of other training samples";
    if (!sound(c, mixture.activation)) return "a bent cell with numbers that are none";
  }
  return "";
}

}  // namespace cavity
