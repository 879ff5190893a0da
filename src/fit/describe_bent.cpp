#include "fit/describe_bent.hpp"

#include <numeric>

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

BoundaryFit describe_boundary(const Preprocessing& preprocessing, const BentAnswer& answer) {
  BoundaryFit out = answer.boundary;
  if (out.share == 0 || out.pruned_share == 0 || preprocessing.directions > 0) return out;
  out.relevance.assign(preprocessing.feature_names.size(), 0);
  for (std::size_t k = 0; k < answer.cells.size(); ++k) {
    const std::vector<double>& d = answer.cells[k].kernel.relevance;
    if (!answer.cells[k].pruned) continue;
    const double all = std::accumulate(d.begin(), d.end(), 0.0), part = answer.weight[k] / (all * out.pruned_share);
    for (std::size_t l = 0; l < d.size(); ++l) out.relevance[preprocessing.kept[l]] += part * d[l];
  }
  return out;
}

}  // namespace cavity
