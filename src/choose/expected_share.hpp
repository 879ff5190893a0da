// How much two predictors should each have a say when samples tell little: of P = (1 - w) P_first + w P_second the
// expectation of w. Before the samples are seen the first, the usual one, is right with probability 10/16, the second,
// the exception, with 1/16, and both in part (w uniform on [0, 1]) with 5/16. The likeliest w would be 0 or 1 more
// often than not, and wrong as often.
#pragma once

#include <span>
#include <vector>

namespace cavity {

class ExpectedShare {
 public:
  /// ln of the probability of each sample's own label by either.
  ExpectedShare(std::span<const double> first, std::span<const double> second);

  /// Of the second.
  double of_all() const;

  /// As if the samples for which `out(mu)` holds were not there.
  template <class HeldOut>
  double without(const HeldOut& out) const {
    std::vector<double> sum = total_;
    for (std::size_t mu = 0; mu < samples_; ++mu)
      if (out(mu))
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] -= log_mix_[mu * sum.size() + i];
    return mean(sum);
  }

 private:
  static double mean(std::span<const double> log_likelihood);

  std::size_t samples_;
  std::vector<double> log_mix_;  // samples x values of w
  std::vector<double> total_;    // a value of w
};

}  // namespace cavity
