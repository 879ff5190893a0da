// The exact conditional of one weight under the step activation. As a function of one weight the likelihood is constant
// between the points where a field changes sign, so a spike and a Gaussian slab give a mixture of a point and truncated
// normals: no augmentation, and noise 0 is no special case. Cost: O(samples log samples).
#pragma once

#include <span>
#include <vector>

#include "base/random.hpp"

namespace cavity {

/// What a misclassified sample and a field of exactly zero cost, in nats against a correct one.
struct StepLoss {
  double wrong, tie;
};

/// A coordinate of the model: fields are rest + column * weight, weight = 0 or N(0, 1/precision).
struct Coordinate {
  std::span<const double> column, rest;
  double precision;
  double log_odds;  // prior log-odds of not being 0; +infinity for a covariate
};

struct CoordinateDraw {
  double weight;
  double inclusion;  // conditional probability that the weight is not 0
};

class StepConditional {
 public:
  StepConditional(std::span<const std::int8_t> labels, StepLoss loss);

  CoordinateDraw draw(const Coordinate& coordinate, Random& random);
  void set_labels(std::span<const std::int8_t> labels) { labels_ = labels; }

 private:
  struct Crossing {
    double place;  // in slab standard deviations
    int change;    // of the number of wrong samples, left to right
  };
  struct Piece {
    double left, right, mass;  // slab probability of the interval
    int wrong;
  };
  int find_crossings(const Coordinate& coordinate);  // returns the wrong samples at minus infinity
  int cut(int wrong);                                // returns the fewest wrong samples of any piece with mass
  double spike_loss(const Coordinate& coordinate) const;

  std::span<const std::int8_t> labels_;
  StepLoss loss_;
  std::vector<Crossing> crossings_;
  std::vector<Piece> pieces_;
  std::vector<double> price_;  // exp(-loss) by the number of wrong samples above the fewest
};

}  // namespace cavity
