// What features do inside a bent boundary, where no weight says it.
#pragma once

#include <cstdint>
#include <vector>

namespace cavity {

/// What a feature does to P(class), its value moved and all others left as they are: the mean over some training
/// samples, and what four of five of them lie between. A wide band around a flat mean: it acts together with others.
struct FeatureEffect {
  std::uint32_t feature = 0;  // place in the file
  double relevance = 0;       // its part of all
  std::vector<double> value;  // transformed; from the lowest twentieth to the highest
  std::vector<double> probability, low, high;
};

/// Two features moved together: by how much the effect of one depends on the other, at most |P(++) - P(+-) - P(-+) +
/// P(--)| of the mean over samples; at the lowest tenth, the middle and the highest tenth of each.
struct FeaturePair {
  std::uint32_t first = 0, second = 0;
  double strength = 0;  // 0: each acts for itself; 2: one turns the other around
  std::vector<double> first_value, second_value;
  std::vector<double> probability;  // a value of the first: a value of the second
};

/// Of the bent cells of a question, where features have relevances of their own in them.
struct BentRule {
  std::vector<FeatureEffect> features;  // the most relevant first
  std::vector<FeaturePair> pairs;       // the strongest first
};

struct Model;

/// Empty where the question has no such cells. Seconds where training samples are many.
BentRule bent_rule(const Model& model, std::size_t question = 0, unsigned threads = 1);

}  // namespace cavity
