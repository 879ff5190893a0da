#include "grid/cut_evidence.hpp"

#include <cmath>
#include <numeric>

#include "model/normal.hpp"

namespace cavity {

namespace {

constexpr double cut_deviation = 0.5;  // of a cut's normal score, before the labels are seen

}  // namespace

CutEvidence::CutEvidence(std::span<const std::int8_t> labels, double flip) : labels_(labels) {
  const std::size_t samples = labels.size();
  for (std::size_t below = 1; below < samples; ++below) {
    const double score = normal_quantile(static_cast<double>(below) / static_cast<double>(samples));
    prior_.push_back(std::exp(-0.5 * std::pow(score / cut_deviation, 2)));
  }
  const double total = std::accumulate(prior_.begin(), prior_.end(), 0.0), odds = flip / (1 - flip);
  for (double& p : prior_) p /= total;
  for (std::size_t agree = 0; agree <= samples; ++agree)
    likelihood_.push_back(0.5 * (std::pow(odds, samples - agree) + std::pow(odds, agree)));
  for (const std::int8_t label : labels) positive_ += label > 0 ? 1 : 0;
}

double CutEvidence::of(std::span<const std::uint32_t> place) const {
  // A tie from place i to place j stands whole at i + j; a cut lies between two of them.
  std::vector<int> count(2 * place.size()), positive(2 * place.size());
  for (std::size_t mu = 0; mu < place.size(); ++mu) {
    ++count[place[mu]];
    if (labels_[mu] > 0) ++positive[place[mu]];
  }
  const int samples = static_cast<int>(place.size());
  int below = 0, positive_below = 0;
  double out = 0;
  for (std::size_t at = 0; at < count.size(); ++at) {
    if (count[at] == 0) continue;
    below += count[at];
    positive_below += positive[at];
    if (below == samples) break;
    const int agree = (below - positive_below) + (positive_ - positive_below);
    out += prior_[static_cast<std::size_t>(below - 1)] * likelihood_[static_cast<std::size_t>(agree)];
  }
  return out;
}

}  // namespace cavity
