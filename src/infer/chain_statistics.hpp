// Mean, variance, split R-hat and effective sample size of many quantities followed through several chains, from batch
// sums alone: memory O(quantities x batches), whatever the number of draws.
//   split R-hat = sqrt((W (n-1)/n + B/n)/W),  W the mean variance within a half chain, B/n that of the half chains'
//   means effective draws = draws x variance / (batch length x variance of all batch means): chains that disagree count
//   too
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cavity {

/// One chain's sums. The chain's draws are cut into `batches` equal batches, the first half of them the first half
/// chain.
class ChainSums {
 public:
  static constexpr std::size_t batches = 32;

  /// `draws` is a multiple of `batches`.
  ChainSums(std::size_t quantities, std::size_t draws);

  /// The values of all quantities in the next draw.
  void add(std::span<const double> values);

  std::size_t draws() const { return draws_; }
  double batch_mean(std::size_t quantity, std::size_t batch) const;
  double half_square(std::size_t quantity, std::size_t half) const;  // sum of squares about `centre`
  double centre(std::size_t quantity) const { return first_[quantity]; }

 private:
  std::size_t quantities_, draws_, length_, count_ = 0;
  std::vector<double> first_;   // the first draw: sums are taken about it, so that squares do not cancel
  std::vector<double> sum_;     // batch by quantity
  std::vector<double> square_;  // half by quantity
};

struct ChainSummary {
  double mean = 0, variance = 0;
  double r_hat = 1;
  double effective_draws = 0;
  double standard_error() const;  // of the mean
};
ChainSummary summarise(std::span<const ChainSums> chains, std::size_t quantity);

}  // namespace cavity
