// Draws of the places, each with the Gaussian of its weights: all that a prediction needs.
//   P(+1 | x) = mean over draws of flip + (1 - 2 flip) Phi(u.mean/sqrt(1 + |F^T u|^2)),  u = (covariates, kept columns)
// In a file: four arrays and two numbers. 200 draws of 3 places with an intercept are 600 + 800 + 2000 numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "design/design.hpp"

namespace cavity {

struct PlaceDraws {
  double flip = 0;
  std::size_t covariates = 0;
  std::vector<std::uint32_t> size{};   // a draw: its places
  std::vector<std::uint32_t> place{};  // all draws' places, one draw after the other: features of the design
  std::vector<double> mean{};          // all draws' weights b, covariates first, in units of the width
  std::vector<double> factor{};        // all draws' F with covariance F F^T, upper triangles by columns

  std::size_t count() const { return size.size(); }
  /// `root` is R with R^T R the precision of b; score is R times the mean.
  void add(std::span<const std::size_t> places, const Eigen::MatrixXd& root, const Eigen::VectorXd& score);
  void append(const PlaceDraws& others);
  /// At most so many of them, evenly spread.
  PlaceDraws thinned(std::size_t most) const;
};

/// P(+1) of each sample of `rows`, with its covariates (samples x covariates). Cost: O(draws x places^2) a sample.
std::vector<double> predict_places(const PlaceDraws& draws, const Design& rows, const Matrix& covariates);

}  // namespace cavity
