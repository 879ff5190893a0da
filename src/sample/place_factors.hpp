// Bayes factors of adding one more feature to a set of places, for all features at once. With W that of the set,
//   a_l = x_l^T W z,  c_l = x_l^T W x_l,  factor_l = (1 + v c_l)^(-1/2) exp(v a_l^2/(2(1 + v c_l))),  v the slab
//   variance
// and the weight of l given that it is added is N(v a_l/(1 + v c_l), v/(1 + v c_l)).
// Cost: O(features x size^2), no product with the matrix: X^T z and X^T x_j of the set's members are known.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "base/random.hpp"
#include "sample/place_columns.hpp"
#include "sample/place_model.hpp"

namespace cavity {

/// The Gaussian of z given a set of places: W = I - B B^T with B = U R^-1, R^T R = D + U^T U, U's columns the
/// covariates and then the places.
struct PlaceBasis {
  Eigen::MatrixXd root;                 // R, upper triangular
  Eigen::VectorXd score;                // R^-T U^T z
  std::vector<const double*> products;  // X^T u of each column u of U
};

/// What is known of z: its products with the features and the covariates.
struct LatentProducts {
  std::vector<double> features;
  Eigen::VectorXd covariates;
};

/// With `latent`, the scores of its z, too.
PlaceBasis place_basis(const PlaceModel& model, const PlaceColumns& columns, const std::vector<std::size_t>& places,
                       const LatentProducts* latent);

/// Expected contributions of drawn places to every feature, summed over draws.
struct PlaceTally {
  std::vector<double> inclusion, mean, square;  // of b_l
};

class PlaceFactors {
 public:
  /// `model` must outlive this.
  explicit PlaceFactors(const PlaceModel& model);

  /// Members of the set have the factor 0.
  /// Exponents are taken times `sharpness`.
  void compute(const PlaceBasis& basis, const std::vector<std::size_t>& places, const LatentProducts& latent,
               double sharpness = 1);

  double log_total() const;          // ln of the sum of all factors; -infinity when there is no feature to add
  std::size_t pick(Random& random);  // a feature with probability factor/total
  double log_probability(std::size_t feature) const;  // of its being picked
  void add_to(PlaceTally& tally) const;

 private:
  const PlaceModel& model_;
  std::vector<double> mean_, variance_;  // of the weight, if added
  std::vector<double> factor_;           // divided by exp(largest_)
  std::vector<double> block_total_;
  double largest_ = 0, total_ = 0;
};

}  // namespace cavity
