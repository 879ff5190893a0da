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
/// The same for several weights of the draws (draws x kinds, a column each): samples x kinds.
Eigen::MatrixXd predict_places(const PlaceDraws& draws, const Eigen::MatrixXd& weights, const Design& rows,
                               const Matrix& covariates);

}  // namespace cavity
