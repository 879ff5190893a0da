#include "fit/bent_look.hpp"

#include <cmath>

#include "base/random.hpp"

namespace cavity {

namespace {

constexpr std::size_t looks = 8;  // a cell

}  // namespace

std::vector<BentLook> bent_looks(const BentMixture& bent, std::size_t inputs) {
  std::vector<BentLook> out;
  if (bent.share == 0) return out;
  Random random(1);
  for (const BentComponent& c : bent.components)
    for (std::size_t i = 0; i < looks; ++i) {
      out.push_back({c.weight / looks, std::vector<double>(inputs)});
      for (std::size_t l = 0; l < inputs; ++l)
        out.back().of_input[l] = (random.uniform() < 0.5 ? -1 : 1) * std::sqrt(c.relevance[l]);
    }
  return out;
}

}  // namespace cavity
