// What a chain's jumps tell beyond its draws. Each leaves a set of places with weights from their posterior, and the
// likelihood of every label given these. With l that of sample mu and L that of all samples left out with it,
//   leave-one-out:  P(label of mu | all but these) = E[l/L]/E[1/L], the expectation over what the jumps visit.
// Where labels may be flipped, 1/l is at most 1/flip: the weights of a sample left out alone are within a factor of
// twelve of each other at flip 0.08. So what counts is that many sets are visited: with 100 draws of four chains the
// log loss of three kept features is that of new samples, of six it is 0.07 below, with 500 draws 0.02.
//   evidence:  P(labels) = sum over some sets of prior x likelihood / P(one of these sets | labels),
// the sets those that half of the chains visit most, their probability the part of the other chains' visits.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"
#include "infer/place_jumps.hpp"

namespace cavity {

class PlaceVisits {
 public:
  using Sets = std::map<PlaceSetKey, std::size_t>;  // how often each was visited

  /// `model` must outlive this. Samples of a group are left out together; none: each alone.
  PlaceVisits(const PlaceModel& model, const SampleGroups* groups);

  /// `field`: of every sample, in units of the width.
  void add(const PlaceSetKey& places, const Eigen::VectorXd& field);
  void add(const PlaceVisits& others);

  const Sets& sets() const { return sets_; }
  /// P(row | labels), all rows alike before.
  double share(std::size_t row) const { return share_[at(row)] / share_.sum(); }
  /// ln of the probability of each sample's own label.
  std::vector<double> left_out(std::size_t row) const;
  /// Of what the visits tell of a row, the part that is left where they are weighed for those that change it most.
  double least_left(std::size_t row) const;

 private:
  static Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

  const PlaceModel* model_;
  std::vector<std::size_t> part_;  // a sample: those of one are left out together
  Sets sets_;
  Eigen::VectorXd share_, share_square_;      // a row
  Eigen::MatrixXd own_;                       // samples x rows: sums of l/L
  Eigen::MatrixXd without_, without_square_;  // parts x rows: sums of 1/L and its square
  std::vector<double> margin_, log_own_;
  Eigen::ArrayXd log_part_;
};

/// ln of the sum of P(labels) over the rows of the model: of one row its share of that. NaN where chains visit nothing
/// in common.
double log_evidence(const PlaceModel& model, std::span<const PlaceVisits> chains, Random random);

}  // namespace cavity
