#include "fit/credible.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "infer/place_sets.hpp"
#include "infer/places.hpp"

namespace cavity {

namespace {

/// A sampled cell's probability.
double probability_of(const Answer& a, std::size_t k) { return a.average.known() ? a.average.weight[k] : a.weight(k); }

/// What cells of few features weigh together.
double weight_of_few(const Answer& a) {
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a.cell(k).draws) out += probability_of(a, k);
  return out;
}

/// Of all sampled cells, as many of each as its weight asks for; each of `parts` parts has them as the chains have.
PlaceDraws pool_draws(const Answer& a, double all, std::size_t parts) {
  PlaceDraws out;
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (!a.cell(k).draws) continue;
      const PlaceDraws& draws = *a.cell(k).draws;
      const std::size_t count = draws.count(), first = part * count / parts, end = (part + 1) * count / parts;
      std::vector<double> taken(count, 0);
      std::fill(taken.begin() + static_cast<std::ptrdiff_t>(first), taken.begin() + static_cast<std::ptrdiff_t>(end),
                1);
      const double wanted = kept_draws * probability_of(a, k) / (all * static_cast<double>(parts));
      out.covariates = draws.covariates;
      append_draws(thinned(draws, taken, static_cast<std::size_t>(std::lround(wanted))), out);
    }
  return out;
}

/// From what holds if few features decide to what holds: where many do, a set is at least as likely as the likeliest of
/// its members is by all cells.
void allow_for_many(double few, const std::vector<double>& inclusion, CredibleSet& set) {
  double all = few * set.probability;
  for (const std::uint32_t feature : set.features) all = std::max(all, inclusion[feature]);
  for (double& share : set.share) share *= all / set.probability;
  set.probability = all;
  set.filled = std::max(few * set.filled, all);
}

}  // namespace

std::vector<CredibleSet> describe_credible_sets(const FitTable& table, const Answer& a,
                                                const std::vector<double>& inclusion, ThreadPool& pool) {
  const CredibleOptions options;
  const double few = weight_of_few(a);
  if (few == 0) return {};
  PlaceDraws draws = pool_draws(a, few, options.parts);
  if (draws.count() == 0) return {};
  for (std::uint32_t& place : draws.place) place %= table.prepared->inputs();  // a feature in either form
  std::vector<CredibleSet> out = credible_sets(draws, a.cells.place_design(*table.design), options, pool);
  for (CredibleSet& set : out) {
    for (std::uint32_t& feature : set.features) feature = table.prepared->preprocessing.kept[feature];
    allow_for_many(few, inclusion, set);
  }
  std::erase_if(out, [&](const CredibleSet& set) { return set.probability < options.least_told; });
  return out;
}

}  // namespace cavity
