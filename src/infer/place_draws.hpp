// How draws of places are collected, and what they predict.
#pragma once

#include <span>
#include <vector>

#include "cavity/place_draws.hpp"
#include "design/design.hpp"

namespace cavity {

/// `root` is R with R^T R the precision of b; score is R times the mean.
void add_draw(std::span<const std::size_t> places, const Eigen::MatrixXd& root, const Eigen::VectorXd& score,
              PlaceDraws& to);
void append_draws(const PlaceDraws& others, PlaceDraws& to);
/// At most so many of them, evenly spread, each as often as its weight says.
PlaceDraws thinned(const PlaceDraws& draws, std::span<const double> weight, std::size_t most);

/// P(+1) of each sample of `rows`, with its covariates (samples x covariates). Cost: O(draws x places^2) a sample.
std::vector<double> predict_places(const PlaceDraws& draws, const Design& rows, const Matrix& covariates);
/// Of samples for which not all that draws see is known: each has a pattern, and a draw's field a variance more by it,
/// row-major draws x patterns. A sample whose pattern is beyond them is known.
struct DrawDoubt {
  std::span<const std::size_t> pattern_of;
  std::size_t patterns = 0;
  std::vector<double> variance{};
};
std::vector<double> predict_places(const PlaceDraws& draws, const Design& rows, const Matrix& covariates,
                                   const DrawDoubt& doubt);
/// A draw: what it adds to its field's variance where C is the covariance of what was missed of the columns it keeps,
/// m^T C m + tr F^T C F. `seen`: the columns of C, increasing.
std::vector<double> missed_variance(const PlaceDraws& draws, std::span<const std::uint32_t> seen, const Matrix& missed);
/// The same for several weights of the draws (draws x kinds, a column each): samples x kinds.
Eigen::MatrixXd predict_places(const PlaceDraws& draws, const Eigen::MatrixXd& weights, const Design& rows,
                               const Matrix& covariates);

}  // namespace cavity
