#include "select/credible.hpp"

#include "sample/place_sets.hpp"

namespace cavity {

std::vector<CredibleSet> describe_credible_sets(const Answer& a, ThreadPool& pool) {
  const std::vector<double>& weight = a.choice.weight;
  auto heaviest = a.solved.draws.begin();
  for (auto cell = a.solved.draws.begin(); cell != a.solved.draws.end(); ++cell)
    if (weight[cell->first] > weight[heaviest->first]) heaviest = cell;
  if (heaviest == a.solved.draws.end() || weight[heaviest->first] == 0) return {};
  PlaceDraws draws = heaviest->second;
  for (std::uint32_t& place : draws.place) place %= a.prepared.inputs();  // a feature in either form
  std::vector<CredibleSet> out = credible_sets(draws, a.solved.place_design(a.problem.design), {}, pool);
  for (CredibleSet& set : out)
    for (std::uint32_t& feature : set.features) feature = a.prepared.preprocessing.kept[feature];
  return out;
}

}  // namespace cavity
