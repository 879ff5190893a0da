#include "assess/class_weights.hpp"

namespace cavity {

std::vector<std::size_t> class_counts(std::span<const std::uint32_t> classes, std::size_t count) {
  std::vector<std::size_t> out(count, 0);
  for (const std::uint32_t k : classes) ++out[k];
  return out;
}

std::vector<double> class_weights(std::span<const std::uint32_t> classes, std::span<const double> shares) {
  if (shares.empty()) return std::vector<double>(classes.size(), 1 / static_cast<double>(classes.size()));
  const std::vector<std::size_t> counts = class_counts(classes, shares.size());
  std::vector<double> out;
  for (const std::uint32_t k : classes) out.push_back(shares[k] / static_cast<double>(counts[k]));
  return out;
}

std::vector<double> class_shift(std::span<const double> shares, std::span<const std::size_t> counts) {
  std::vector<double> out;
  for (std::size_t k = 0; k < shares.size(); ++k)
    out.push_back(shares[k] / shares[0] * static_cast<double>(counts[0]) / static_cast<double>(counts[k]));
  return out;
}

}  // namespace cavity
