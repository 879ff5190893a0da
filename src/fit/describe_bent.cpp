#include "fit/describe_bent.hpp"

namespace cavity {

BentMixture describe_bent_mixture(const BentAnswer& answer) {
  BentMixture out{answer.boundary.share, {}};
  if (out.share == 0) return out;
  for (std::size_t k = 0; k < answer.cells.size(); ++k) {
    const BentCell& cell = answer.cells[k];
    const KernelScales& scales = cell.kernel.scales;
    out.components.push_back({cell.noise, cell.width, answer.weight[k], scales.bent, scales.straight, scales.level,
                              cell.kernel.relevance, cell.sites.precision, cell.sites.linear});
  }
  return out;
}

}  // namespace cavity
