// What is sampled where few features are kept: WHICH are (the places), with all weights integrated out.
//   latent z = U b + unit noise,  U = [covariates, kept columns of X],  b ~ N(0, 1/prior precision),
//   P(label = sign z) = 1 - flip,  so  P(label | field) = flip + (1 - 2 flip) Phi(label field/width);
//   every feature is kept with odds kept/(features - kept).
// Given the places z ~ N(0, W^-1) with W = I - U (D + U^T U)^-1 U^T, D the prior precisions. Fields are in units of the
// width: b = beta/(width sqrt(kept)), so a slab weight beta ~ N(0, 1) has the variance 1/(width^2 kept) here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/problem.hpp"

namespace cavity {

struct PlaceProblem {
  const Design& design;
  std::span<const std::int8_t> labels;  // +1, -1
  const Covariates& covariates;
  double kept;   // features kept on average, density x features
  double flip;   // probability of a flipped label, in [0, 1/2)
  double width;  // of the boundary in units of sqrt(density), at least 0.001

  double density() const { return kept / static_cast<double>(design.total_features()); }
  /// Places are drawn by one process that sees all features. UsageError unless everything is in its range.
  void check() const;
};

/// What the prior expects of the number of kept features: one of several numbers, all alike. Weights and covariates
/// have the prior of the problem's own `kept` under all of them, so that draws for one number, weighed by the size of
/// their set, serve the others: in units of its own sqrt(density) a row has another width (row_problem).
class PlaceRows {
 public:
  PlaceRows(std::vector<double> kept, std::size_t features);

  std::size_t count() const { return kept_.size(); }
  double kept(std::size_t row) const { return kept_[row]; }
  /// ln of how much more likely a set becomes by one more place than the `size` that it has.
  double log_odds(std::size_t size) const { return log_prior(size + 1) - log_prior(size); }
  /// The probability of the row given a set of `size` places.
  double share(std::size_t row, std::size_t size) const;
  /// ln of the prior of one set of `size` places, summed over the rows.
  double log_prior(std::size_t size) const;

 private:
  std::vector<double> kept_, log_odds_, log_none_;  // ln P(no place)
};
PlaceProblem row_problem(const PlaceProblem& problem, double kept);

/// A cell of the grid. UsageError unless its activation is a threshold.
PlaceProblem place_problem(const Problem& problem);

/// What all chains of one problem share. Cost: O(samples x features) once.
struct PlaceModel {
  PlaceModel(const PlaceProblem& problem, ThreadPool& pool) : PlaceModel(problem, {problem.kept}, pool) {}
  PlaceModel(const PlaceProblem& problem, const std::vector<double>& kept, ThreadPool& pool);

  const Design& design;
  std::span<const std::int8_t> labels;
  const Matrix& covariates;       // samples x covariates; may have no columns
  std::vector<double> precision;  // prior, a covariate
  double slab_variance, flip;     // of a kept weight; of a label
  PlaceRows rows;
  std::vector<double> square;                           // |x_l|^2
  std::vector<std::vector<double>> covariate_products;  // a covariate: its products with all features
  Matrix covariate_gram;

  std::size_t samples() const { return design.samples(); }
  std::size_t features() const { return design.features(); }
};

/// Prior precision of covariate j in the units above.
double place_covariate_precision(const PlaceProblem& problem, std::size_t j);

}  // namespace cavity
