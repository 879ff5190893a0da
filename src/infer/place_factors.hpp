// Bayes factors of adding one more feature to a set of places, for all features at once. With W that of the set,
//   a_l = x_l^T W z,  c_l = x_l^T W x_l,  factor_l = (1 + v c_l)^(-1/2) exp(v a_l^2/(2(1 + v c_l))),  v the slab
//   variance
// and the weight of l given that it is added is N(v a_l/(1 + v c_l), v/(1 + v c_l)).
// Cost: O(features x size^2), no product with the matrix: X^T z and X^T x_j of the set's members are known.
#pragma once

#include <unordered_map>
#include <vector>

#include <Eigen/Core>

#include "base/random.hpp"
#include "infer/place_model.hpp"

namespace cavity {

/// A column of a kept feature, and its products with all others: what a move needs of the matrix.
struct PlaceColumn {
  Eigen::VectorXd values;        // x_j, a sample
  std::vector<double> products;  // X^T x_j, a feature
};

/// Cost: one X^T v a feature that is not there. Memory is bounded: features not in use are forgotten when it is full.
class PlaceColumns {
 public:
  explicit PlaceColumns(const Design& design);

  const PlaceColumn& operator[](std::size_t feature) const { return columns_.at(feature); }
  /// x_l, whether it is there or not.
  Eigen::VectorXd values(std::size_t feature) const;
  /// Has `feature` ready and forgets, if it must, any but those of `in_use`.
  void fetch(std::size_t feature, const std::vector<std::size_t>& in_use, ThreadPool& pool);

 private:
  const Design& design_;
  std::size_t most_;
  std::unordered_map<std::size_t, PlaceColumn> columns_;
};

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

/// Expected contributions of drawn places to every feature, summed over draws that have weights.
struct PlaceTally {
  double draws = 0;
  std::vector<double> inclusion, mean, square;  // of b_l
};

/// Where a new place would be put: every feature with its own probability.
class PlaceProposal {
 public:
  /// Factors that need not add up to 1.
  PlaceProposal(std::vector<double> factor, std::vector<double> block_total);

  std::size_t pick(Random& random) const;
  double log_probability(std::size_t feature) const;

 private:
  std::vector<double> factor_, block_total_;  // of some features at a time, to find one fast
  double total_ = 0;
};

class PlaceFactors {
 public:
  /// `model` must outlive this.
  explicit PlaceFactors(const PlaceModel& model);

  /// Members of the set have the factor 0.
  /// Exponents are taken times `sharpness`.
  void compute(const PlaceBasis& basis, const std::vector<std::size_t>& places, const LatentProducts& latent,
               double sharpness = 1);

  double log_total() const;                // ln of the sum of all factors; -infinity when there is no feature to add
  std::size_t pick(Random& random) const;  // a feature with probability factor/total
  PlaceProposal proposal() const { return {factor_, block_total_}; }
  void add_to(PlaceTally& tally, double weight) const;

 private:
  const PlaceModel& model_;
  std::vector<double> mean_, variance_;  // of the weight, if added
  std::vector<double> factor_;           // divided by exp(largest_)
  std::vector<double> block_total_;
  double largest_ = 0, total_ = 0;
};

}  // namespace cavity
