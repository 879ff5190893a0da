#include "prepare/column_scores.hpp"

#include <algorithm>
#include <numeric>

#include "prepare/transform.hpp"

namespace cavity {

namespace {

constexpr std::size_t columns_a_block = 64;

/// Places of one column; one a thread.
class Placing {
 public:
  explicit Placing(std::size_t samples) : column_(samples), order_(samples), place_(samples) {}

  std::span<const std::uint32_t> operator()(const FeatureMatrix& values, std::size_t l) {
    for (std::size_t mu = 0; mu < column_.size(); ++mu) column_[mu] = values.row(mu)[l];
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::sort(order_, {}, [this](std::uint32_t mu) { return column_[mu]; });
    for (std::size_t i = 0, end = 0; i < order_.size(); i = end) {
      while (end < order_.size() && column_[order_[end]] == column_[order_[i]]) ++end;
      for (std::size_t k = i; k < end; ++k) place_[order_[k]] = static_cast<std::uint32_t>(i + end - 1);
    }
    return place_;
  }

 private:
  std::vector<float> column_;
  std::vector<std::uint32_t> order_, place_;
};

}  // namespace

void for_columns(const FeatureMatrix& values, const ColumnPlaces& work, ThreadPool& pool) {
  pool.run((values.cols + columns_a_block - 1) / columns_a_block, [&](std::size_t block) {
    Placing places(values.rows);
    const std::size_t first = block * columns_a_block, end = std::min(first + columns_a_block, values.cols);
    for (std::size_t l = first; l < end; ++l) work(l, places(values, l));
  });
}

FeatureMatrix new_scores(std::span<const float> training, const FeatureMatrix& values) {
  const std::size_t samples = training.size() / values.cols;
  const std::vector<float> score = normal_scores(samples);
  FeatureMatrix out(values.rows, values.cols);
  for (std::size_t j = 0; j < values.cols; ++j) {
    const auto known = training.subspan(j * samples, samples);
    for (std::size_t mu = 0; mu < values.rows; ++mu) {
      const auto [first, end] = std::equal_range(known.begin(), known.end(), values.row(mu)[j]);
      const auto below = static_cast<std::size_t>(first - known.begin()), equal = static_cast<std::size_t>(end - first);
      // Of i + j: its own places; between places below - 1 and below; at the ends those there are.
      const std::size_t at =
          equal > 0 ? 2 * below + equal - 1 : std::clamp<std::size_t>(2 * below, 1, 2 * samples - 1) - 1;
      out.row(mu)[j] = score[at];
    }
  }
  return out;
}

}  // namespace cavity
