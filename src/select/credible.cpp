#include "select/credible.hpp"

#include "sample/place_sets.hpp"

namespace cavity {

namespace {

constexpr double least_weight = 0.05;  // of all cells with sampled places together

}  // namespace

std::vector<CredibleSet> describe_credible_sets(const Answer& a, ThreadPool& pool) {
  const std::vector<double>& weight = a.choice.weight;
  double together = 0;
  auto heaviest = a.solved.draws.begin();
  for (auto cell = a.solved.draws.begin(); cell != a.solved.draws.end(); ++cell) {
    together += weight[cell->first];
    if (weight[cell->first] > weight[heaviest->first]) heaviest = cell;
  }
  if (together <= least_weight) return {};
  std::vector<CredibleSet> out = credible_sets(heaviest->second, a.problem.design, {}, pool);
  for (CredibleSet& set : out)
    for (std::uint32_t& feature : set.features) feature = a.prepared.preprocessing.kept[feature];
  return out;
}

}  // namespace cavity
