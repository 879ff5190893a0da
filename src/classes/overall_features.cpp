#include "classes/overall_features.hpp"

#include <algorithm>
#include <numeric>

namespace cavity {

namespace {

std::uint32_t leading_class(const std::vector<ClassModel>& classes, std::size_t feature) {
  std::uint32_t best = 0;
  for (std::uint32_t k = 1; k < classes.size(); ++k)
    if (classes[k].features.inclusion[feature] > classes[best].features.inclusion[feature]) best = k;
  return best;
}

}  // namespace

FeatureEstimates overall_features(const std::vector<ClassModel>& classes) {
  FeatureEstimates out;
  for (std::size_t l = 0; l < classes.front().features.inclusion.size(); ++l) {
    const FeatureEstimates& of = classes[leading_class(classes, l)].features;
    out.inclusion.push_back(of.inclusion[l]);
    out.weight.push_back(of.weight[l]);
    out.sd.push_back(of.sd[l]);
  }
  return out;
}

std::vector<OverallFeature> ranked_over_classes(const Model& model, std::size_t most) {
  const FeatureEstimates& f = model.features;
  std::vector<std::size_t> order(f.inclusion.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return f.inclusion[a] > f.inclusion[b]; });
  order.resize(std::min(order.size(), most));
  std::vector<OverallFeature> out;
  for (const std::size_t l : order)
    out.push_back({{model.preprocessing.feature_names[l], f.inclusion[l], f.weight[l], f.sd[l]},
                   leading_class(model.per_class, l)});
  return out;
}

}  // namespace cavity
