#include "prepare/transform.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "assess/one_kind.hpp"
#include "base/enum_names.hpp"
#include "model/normal.hpp"

namespace cavity {

namespace {

using Choice = PreprocessingOptions::Choice;
constexpr EnumName<Choice> choices[] = {{Choice::automatic, "auto"}, {Choice::none, "none"},
                                        {Choice::asinh, "asinh"},    {Choice::rank, "rank"},
                                        {Choice::log1p, "log1p"},    {Choice::feature_asinh, "feature_asinh"}};

Choice as_choice(Transform transform) {
  switch (transform) {
    case Transform::asinh:
      return Choice::asinh;
    case Transform::rank:
      return Choice::rank;
    case Transform::log1p:
      return Choice::log1p;
    case Transform::feature_asinh:
      return Choice::feature_asinh;
    case Transform::none:
      break;
  }
  return Choice::none;
}

}  // namespace

std::string to_string(Transform transform) { return to_string(as_choice(transform)); }

PreprocessingOptions::Choice parse_transform(const std::string& name) {
  return value_named(choices, name, "transform");
}
std::string to_string(PreprocessingOptions::Choice transform) { return name_of(choices, transform); }
std::vector<std::string> transform_names() { return names_in(choices); }

namespace {

/// Orders as the float does; -0 and 0 are one value.
std::uint32_t sort_key(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0F);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

/// Least-significant-digit radix sort by the upper 32 bits.
void sort_by_key(std::vector<std::uint64_t>& items, std::vector<std::uint64_t>& spare) {
  constexpr unsigned digit_bits = 11;
  constexpr std::size_t digits = std::size_t{1} << digit_bits;
  for (unsigned shift = 32; shift < 64; shift += digit_bits) {
    std::array<std::size_t, digits> start{};
    const auto digit = [shift](std::uint64_t item) { return (item >> shift) & (digits - 1); };
    for (const std::uint64_t item : items) ++start[digit(item)];
    std::size_t sum = 0;
    for (std::size_t& s : start) sum += std::exchange(s, sum);
    for (const std::uint64_t item : items) spare[start[digit(item)]++] = item;
    items.swap(spare);
  }
}

/// Mean of the two middle values for an even count; reorders `values`.
double median(std::vector<float>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (static_cast<double>(*std::max_element(values.begin(), middle)) + *middle);
}

double excess_kurtosis(std::span<const float> row) {
  const auto count = static_cast<double>(row.size());
  double mean = 0, second = 0, fourth = 0;
  for (const float value : row) mean += value / count;
  for (const float value : row) {
    const double square = (value - mean) * (value - mean);
    second += square / count;
    fourth += square * square / count;
  }
  return second > 0 ? fourth / (second * second) - 3 : 0;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

double variance(std::span<const double> values) {
  double mean = 0, square = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) square += (value - mean) * (value - mean) / static_cast<double>(values.size());
  return square;
}

}  // namespace

std::vector<float> normal_scores(std::size_t count) {
  std::vector<float> scores(2 * count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const double p = static_cast<double>(i + 1) / (2.0 * static_cast<double>(count));
    const double score = i + 1 == count ? 0.0 : normal_quantile(p);
    scores[i] = static_cast<float>(score);
    scores[scores.size() - 1 - i] = static_cast<float>(-score);
  }
  return scores;
}

RowTransform::RowTransform(Transform kind, std::size_t features) : kind_(kind) {
  if (kind == Transform::rank && features > 0)
    scores_ = std::make_shared<const std::vector<float>>(normal_scores(features));
}

void RowTransform::operator()(std::span<float> row) {
  if (kind_ == Transform::rank) rank(row);
  if (kind_ == Transform::asinh) asinh(row);
}

void RowTransform::rank(std::span<float> row) {
  order_.resize(row.size());
  spare_.resize(row.size());
  for (std::size_t l = 0; l < row.size(); ++l) order_[l] = std::uint64_t{sort_key(row[l])} << 32 | l;
  sort_by_key(order_, spare_);
  longest_tie_ = 0;
  for (std::size_t i = 0, end = 0; i < row.size(); i = end) {
    while (end < row.size() && order_[end] >> 32 == order_[i] >> 32) ++end;
    for (std::size_t k = i; k < end; ++k) row[order_[k] & 0xffffffffU] = (*scores_)[i + end - 1];
    longest_tie_ = std::max(longest_tie_, end - i);
  }
}

void RowTransform::asinh(std::span<float> row) {
  sorted_.assign(row.begin(), row.end());
  const double centre = median(sorted_);
  double mean_deviation = 0;
  for (std::size_t l = 0; l < row.size(); ++l) {
    sorted_[l] = static_cast<float>(std::abs(row[l] - centre));
    mean_deviation += sorted_[l] / static_cast<double>(row.size());
  }
  // Half of the values equal: the median deviation is 0 and the mean one takes its place. Factors: Gaussian sd.
  const double half = 1.4826 * median(sorted_);
  const double spread = half > 0 ? half : 1.2533 * mean_deviation;
  for (float& value : row) value = spread > 0 ? static_cast<float>(std::asinh((value - centre) / spread)) : 0.0F;
}

namespace {

constexpr double least_kurtosis = 1;      // excess, of what is ranked
constexpr std::size_t spread_blocks = 8;  // of the samples looked at, each with a sum of its own

/// Up to 100 samples, evenly spaced, missing values filled in.
class SampleRows {
 public:
  SampleRows(const FeatureMatrix& values, std::span<const double> impute)
      : values_(values), impute_(impute), count_(std::min<std::size_t>(values.rows, 100)) {}
  std::size_t count() const { return count_; }
  void copy(std::size_t i, std::vector<float>& row) const {
    const float* from = values_.row(i * values_.rows / count_);
    row.resize(values_.cols);
    for (std::size_t l = 0; l < row.size(); ++l)
      row[l] = std::isnan(from[l]) ? static_cast<float>(impute_[l]) : from[l];
  }
  /// work(block, i) for every sample, the blocks in threads.
  template <class Work>
  void for_each(ThreadPool& pool, const Work& work) const {
    pool.run(spread_blocks, [&](std::size_t block) {
      for (std::size_t i = count_ * block / spread_blocks; i < count_ * (block + 1) / spread_blocks; ++i)
        work(block, i);
    });
  }

 private:
  const FeatureMatrix& values_;
  std::span<const double> impute_;
  std::size_t count_;
};

double typical_kurtosis(const SampleRows& rows, ThreadPool& pool) {
  std::vector<double> kurtosis(rows.count());
  rows.for_each(pool, [&](std::size_t, std::size_t i) {
    std::vector<float> row;
    rows.copy(i, row);
    kurtosis[i] = excess_kurtosis(row);
  });
  return median(kurtosis);
}

}  // namespace

Spread measure_spread(const FeatureMatrix& values, std::span<const double> impute, ThreadPool& pool) {
  const SampleRows rows(values, impute);
  Spread out;
  out.excess_kurtosis = typical_kurtosis(rows, pool);
  if (out.excess_kurtosis <= least_kurtosis) return out;
  const RowTransform rank(Transform::rank, values.cols);
  std::vector<RowTransform> ranks(spread_blocks, rank);
  std::vector<std::vector<float>> row(spread_blocks);
  std::vector<std::vector<double>> scores(spread_blocks, std::vector<double>(values.cols));
  std::vector<double> common(rows.count()), total(rows.count());
  rows.for_each(pool, [&](std::size_t block, std::size_t i) {
    rows.copy(i, row[block]);
    ranks[block](row[block]);
    common[i] = static_cast<double>(ranks[block].longest_tie()) / static_cast<double>(values.cols);
    for (std::size_t l = 0; l < values.cols; ++l) scores[block][l] += row[block][l] / static_cast<double>(rows.count());
    total[i] = variance(std::vector<double>(row[block].begin(), row[block].end()));
  });
  std::vector<double> mean_score(values.cols);
  for (const auto& part : scores)
    for (std::size_t l = 0; l < values.cols; ++l) mean_score[l] += part[l];
  const double typical = median(total);
  out.most_common = median(common);
  out.between = typical > 0 ? variance(mean_score) / typical : 1;
  return out;
}

Transform choose_transform(const Spread& spread, std::size_t features) {
  const bool one_kind = features >= fewest_of_one_kind && spread.most_common < 0.5 && spread.between <= 0.99;
  return one_kind && spread.excess_kurtosis > least_kurtosis ? Transform::rank : Transform::none;
}

}  // namespace cavity
