#include <algorithm>
#include <numeric>

#include "cavity/fit.hpp"

namespace cavity {

std::vector<Feature> ranked_features(const Model& model) {
  std::vector<std::size_t> order(model.inclusion.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return model.inclusion[a] > model.inclusion[b]; });
  std::vector<Feature> out;
  for (const std::size_t l : order)
    out.push_back({model.preprocessing.feature_names[l], model.inclusion[l], model.weight[l], model.sd[l]});
  return out;
}

std::size_t discoveries(const std::vector<Feature>& ranked, double rate) {
  // The expected false fraction of a prefix, sum (1 - inclusion)/size, grows with the prefix: stop at the last below.
  double false_ones = 0;
  std::size_t count = 0;
  for (; count < ranked.size(); ++count) {
    false_ones += 1 - ranked[count].inclusion;
    if (false_ones > rate * static_cast<double>(count + 1)) break;
  }
  return count;
}

}  // namespace cavity
