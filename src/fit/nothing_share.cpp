#include "fit/nothing_share.hpp"

#include <numeric>

#include "model/negligible.hpp"

namespace cavity {

namespace {

/// Laplace's rule.
std::vector<double> frequencies(std::span<const std::size_t> counts) {
  const std::size_t samples = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  std::vector<double> out;
  for (const std::size_t count : counts)
    out.push_back(static_cast<double>(count + 1) / static_cast<double>(samples + counts.size()));
  return out;
}

}  // namespace

Nothing share_of_nothing(double probability, std::span<const std::size_t> class_counts) {
  if (!(probability >= negligible)) return {};
  return {probability, frequencies(class_counts)};
}

void mix_nothing(const Nothing& nothing, Matrix& probability) {
  if (nothing.share == 0) return;
  for (Eigen::Index k = 0; k < probability.cols(); ++k)
    probability.col(k) = (1 - nothing.share) * probability.col(k).array() +
                         nothing.share * nothing.probability[static_cast<std::size_t>(k)];
}

}  // namespace cavity
