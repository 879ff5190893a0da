#include "model/activation.hpp"

namespace cavity {

void tilt(const AnyActivation& activation, std::span<const double> mean, std::span<const double> variance,
          std::span<Tilt> out) {
  const bool common = variance.size() == 1;
  std::visit(
      [&](const auto& f) {
        for (std::size_t i = 0; i < mean.size(); ++i) out[i] = f.tilt(mean[i], variance[common ? 0 : i]);
      },
      activation);
}

}  // namespace cavity
