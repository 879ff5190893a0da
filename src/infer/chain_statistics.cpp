#include "infer/chain_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace cavity {

ChainSums::ChainSums(std::size_t quantities, std::size_t draws)
    : quantities_(quantities),
      draws_(draws),
      length_(draws / batches),
      first_(quantities, 0),
      sum_(quantities * batches, 0),
      square_(quantities * 2, 0) {
  if (draws == 0 || draws % batches != 0) throw std::invalid_argument("draws must be a multiple of the batches");
}

void ChainSums::add(std::span<const double> values) {
  if (count_ == 0) std::copy(values.begin(), values.end(), first_.begin());
  const std::size_t batch = count_ / length_, half = 2 * batch / batches;
  for (std::size_t q = 0; q < quantities_; ++q) {
    const double d = values[q] - first_[q];
    sum_[batch * quantities_ + q] += d;
    square_[half * quantities_ + q] += d * d;
  }
  ++count_;
}

double ChainSums::batch_mean(std::size_t quantity, std::size_t batch) const {
  return first_[quantity] + sum_[batch * quantities_ + quantity] / static_cast<double>(length_);
}

double ChainSums::half_square(std::size_t quantity, std::size_t half) const {
  return square_[half * quantities_ + quantity];
}

namespace {

std::vector<double> merge(const std::vector<double>& means, std::size_t count) {
  std::vector<double> out(means.size() / count, 0);
  for (std::size_t i = 0; i < means.size(); ++i) out[i / count] += means[i] / static_cast<double>(count);
  return out;
}

}  // namespace

double ChainSummary::standard_error() const { return std::sqrt(variance / effective_draws); }

ChainSummary summarise(std::span<const ChainSums> chains, std::size_t quantity) {
  constexpr std::size_t half_batches = ChainSums::batches / 2;
  const double halves = 2.0 * static_cast<double>(chains.size());
  const double n = 0.5 * static_cast<double>(chains.front().draws());
  const double batch_length = n / half_batches;

  std::vector<double> half_mean, batch_mean;
  double within = 0, grand = 0;
  for (const ChainSums& chain : chains)
    for (std::size_t half = 0; half < 2; ++half) {
      double mean = 0;
      for (std::size_t b = half * half_batches; b < (half + 1) * half_batches; ++b) {
        batch_mean.push_back(chain.batch_mean(quantity, b));
        mean += batch_mean.back() / half_batches;
      }
      const double shift = mean - chain.centre(quantity);
      within += std::max(chain.half_square(quantity, half) - n * shift * shift, 0.0) / ((n - 1) * halves);
      half_mean.push_back(mean);
      grand += mean / halves;
    }
  const auto spread = [grand](const std::vector<double>& means) {
    double sum = 0;
    for (const double m : means) sum += (m - grand) * (m - grand);
    return sum / static_cast<double>(means.size() - 1);
  };
  ChainSummary out;
  const double between = spread(half_mean), total = n * halves;
  out.mean = grand;
  out.variance = within * (n - 1) / n + between;
  out.effective_draws = total;
  // A quantity that never moved says nothing; one that is constant in every half but differs has no R-hat.
  const double rounding = 1e-13 * std::abs(grand);
  if (out.variance <= rounding * rounding) return out;
  out.r_hat = within > 0 ? std::sqrt(out.variance / within) : std::numeric_limits<double>::infinity();
  // Long batches see slow changes, short ones are many: the smaller answer of the two counts.
  for (const std::size_t merged : {std::size_t{1}, std::size_t{4}}) {
    const double batch_spread = spread(merge(batch_mean, merged));
    const double length = batch_length * static_cast<double>(merged);
    if (batch_spread > 0)
      out.effective_draws = std::min(out.effective_draws, total * out.variance / (length * batch_spread));
  }
  return out;
}

}  // namespace cavity
