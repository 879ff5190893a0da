// About 12 samples a bin, between 2 and 10 bins. A bin of weights w has predicted = sum w p / sum w and observed =
// sum w y / sum w, known as well as from (sum w)^2 / sum w^2 samples of equal weight (Kish), or from as many as
// effective_count says where samples come in groups.
#include "assess/calibration_bins.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "assess/effective_count.hpp"

namespace cavity {

namespace {

constexpr std::size_t samples_a_bin = 12, fewest_bins = 2, most_bins = 10;
constexpr std::size_t fewest_samples = 3;  // of a bin that is closed early

struct Judged {
  std::span<const double> probability;
  std::span<const std::int8_t> labels;
  std::span<const double> weights;
  std::span<const std::size_t> group_of;
};

/// The end of a run of equal probabilities that is nearest to `end` and leaves a bin worth the name.
std::size_t nearest_gap(const std::vector<double>& sorted, std::size_t start, std::size_t end) {
  if (end >= sorted.size()) return sorted.size();
  std::size_t low = end, high = end;
  while (low > start && sorted[low - 1] == sorted[end]) --low;
  while (high < sorted.size() && sorted[high] == sorted[end - 1]) ++high;
  if (low == end) return end;
  return end - low <= high - end && low - start >= fewest_samples ? low : high;
}

CalibrationBin make_bin(const Judged& all, std::span<const std::size_t> members) {
  CalibrationBin out;
  std::vector<double> hits;
  std::vector<std::size_t> group_of;
  double weight = 0, squares = 0;
  for (const std::size_t i : members) {
    const bool hit = all.labels[i] > 0;
    const double w = all.weights.empty() ? 1 : all.weights[i];
    hits.push_back(hit ? 1 : 0);
    if (!all.group_of.empty()) group_of.push_back(all.group_of[i]);
    out.hits += hit ? 1 : 0;
    out.predicted += w * all.probability[i];
    out.observed += hit ? w : 0;
    weight += w;
    squares += w * w;
  }
  out.samples = members.size();
  out.predicted /= weight;
  out.observed = out.hits == out.samples ? 1 : out.observed / weight;
  out.interval = wilson_interval(out.observed, std::min(weight * weight / squares, effective_count(hits, group_of)));
  return out;
}

}  // namespace

std::vector<CalibrationBin> calibration_bins(std::span<const double> probability, std::span<const std::int8_t> labels,
                                             std::span<const double> weights, std::span<const std::size_t> group_of) {
  const std::size_t samples = probability.size();
  if (labels.size() != samples) throw std::invalid_argument("as many probabilities as labels are needed");
  std::vector<std::size_t> order(samples);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return probability[a] < probability[b]; });
  std::vector<double> sorted;
  for (const std::size_t i : order) sorted.push_back(probability[i]);
  const double wanted =
      static_cast<double>(samples) / static_cast<double>(std::clamp(samples / samples_a_bin, fewest_bins, most_bins));
  std::vector<CalibrationBin> out;
  for (std::size_t start = 0; start < samples;) {
    // What is left is shared out anew: many equal probabilities may have filled several bins' worth.
    const auto left = static_cast<double>(samples - start);
    const auto size = static_cast<std::size_t>(std::ceil(left / std::max(1.0, std::round(left / wanted))));
    const std::size_t end = nearest_gap(sorted, start, start + size);
    out.push_back(make_bin({probability, labels, weights, group_of}, std::span(order).subspan(start, end - start)));
    start = end;
  }
  return out;
}

}  // namespace cavity
