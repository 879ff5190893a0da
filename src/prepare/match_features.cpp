#include "prepare/match_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "prepare/fit_columns.hpp"
#include "prepare/row_blocks.hpp"
#include "prepare/transform.hpp"
#include "table/sparse_table.hpp"

namespace cavity {

namespace {

constexpr std::size_t absent_zero = SIZE_MAX, absent_mean = SIZE_MAX - 1;

bool is_svmlight_name(std::string_view name) {
  return name.size() > 1 && name[0] == 'f' && std::all_of(name.begin() + 1, name.end(), is_digit);
}

/// Where each feature of the model stands in the file, and the kept ones that do not.
struct FoundFeatures {
  std::vector<std::size_t> source;
  std::vector<std::uint32_t> absent;  // inputs
};
FoundFeatures look_for_features(const Preprocessing& p, const Dataset& data) {
  FoundFeatures out{std::vector<std::size_t>(p.feature_names.size()), {}};
  if (p.feature_names == data.feature_names) {
    std::iota(out.source.begin(), out.source.end(), std::size_t{0});
    return out;
  }
  std::unordered_map<std::string_view, std::size_t> places;
  places.reserve(data.feature_names.size());
  for (std::size_t l = 0; l < data.feature_names.size(); ++l) places.emplace(data.feature_names[l], l);
  for (std::size_t l = 0; l < out.source.size(); ++l) {
    const std::string& name = p.feature_names[l];
    const auto kept = std::lower_bound(p.kept.begin(), p.kept.end(), l);
    out.source[l] = absent_mean;
    if (const auto place = places.find(name); place != places.end()) {
      out.source[l] = place->second;
    } else if (data.absent_is_zero && is_svmlight_name(name)) {
      out.source[l] = absent_zero;
    } else if (kept != p.kept.end() && *kept == l) {
      out.absent.push_back(static_cast<std::uint32_t>(kept - p.kept.begin()));
    }
  }
  return out;
}

std::vector<std::size_t> find_features(const Preprocessing& p, const Dataset& data) {
  FoundFeatures found = look_for_features(p, data);
  if (found.absent.empty()) return std::move(found.source);
  std::vector<std::string> names;
  for (const std::uint32_t j : found.absent) names.push_back(p.feature_names[p.kept[j]]);
  throw InputError(fmt::format("{} of the model's {} features {} not in the data: {}; columns are matched by name",
                               names.size(), p.kept.size(), names.size() == 1 ? "is" : "are", shown_names(names, 5)));
}

/// One new row, from the file's columns to the kept, transformed ones; one a thread.
class RowMatcher {
 public:
  RowMatcher(const Preprocessing& p, const std::vector<std::size_t>& source, const RowTransform& transform)
      : p_(p), source_(source), transform_(transform), row_(source.size()) {}

  /// `from` and `to` may be the same memory. Returns how many values were filled.
  std::size_t operator()(const float* from, float* to, const Dataset& data, std::size_t sample, bool ranked_later) {
    std::size_t filled = 0;
    for (std::size_t l = 0; l < source_.size(); ++l) {
      const std::size_t at = source_[l];
      row_[l] = at == absent_zero ? 0.0F : at == absent_mean ? static_cast<float>(p_.impute[l]) : from[at];
      if (std::isfinite(row_[l])) continue;
      if (std::isinf(row_[l])) {
        throw InputError(fmt::format(
            "sample {}, feature {}: the value is infinite; leave it empty if it is unknown",
            sample < data.sample_names.size() ? shown(data.sample_names[sample]) : std::to_string(sample + 1),
            shown(p_.feature_names[l])));
      }
      row_[l] = static_cast<float>(p_.impute[l]);
      ++filled;
    }
    if (!ranked_later) transform_(row_);
    for (std::size_t j = 0; j < p_.kept.size(); ++j) to[j] = row_[p_.kept[j]];
    return filled;
  }

 private:
  const Preprocessing& p_;
  const std::vector<std::size_t>& source_;
  RowTransform transform_;
  std::vector<float> row_;
};

/// The rows are what the model wants as they stand: every feature kept, none transformed, all values finite.
bool already_matched(const Preprocessing& p, const Dataset& data, ThreadPool& pool) {
  if (looks_at_samples(p.transform) || p.kept.size() != data.features.cols() || p.feature_names != data.feature_names)
    return false;
  const FeatureMatrix& values = std::as_const(data.features).dense();
  std::atomic<bool> finite = true;
  pool.run(row_blocks(values.rows), [&](std::size_t block) {
    for_rows(block, values.rows, [&](std::size_t i) {
      const float* row = values.row(i);
      if (!std::all_of(row, row + values.cols, [](float value) { return std::isfinite(value); })) finite = false;
    });
  });
  return finite;
}

/// Row i starts at i * stride; afterwards at i * cols.
void close_gaps(FeatureMatrix& values, std::size_t cols) {
  const std::size_t stride = std::exchange(values.cols, cols);
  for (std::size_t i = 1; i < values.rows && stride != cols; ++i) {
    const float* from = values.values.data() + i * stride;
    std::copy(from, from + cols, values.row(i));
  }
  values.values.resize(values.rows * cols);
}

/// The column of every kept feature.
std::vector<std::uint32_t> match_columns(const Preprocessing& p, const Dataset& data) {
  const std::vector<std::size_t> source = find_features(p, data);
  std::vector<std::uint32_t> out;
  for (const std::uint32_t l : p.kept)
    out.push_back(source[l] == absent_zero ? SparseTable::zeros : static_cast<std::uint32_t>(source[l]));
  return out;
}

/// `data.features` becomes samples x kept; returns how many values were filled. In place unless the model keeps more
/// features than the file has (an svmlight file that ends early), or the values are borrowed and something has to
/// change.
std::size_t match_rows(const Preprocessing& p, Dataset& data, const std::vector<bool>& ranked_later, ThreadPool& pool) {
  if (std::as_const(data.features).dense().borrowed && already_matched(p, data, pool)) return 0;
  const std::vector<std::size_t> source = find_features(p, data);
  FeatureMatrix& values = data.features.dense();
  const std::size_t rows = values.rows;
  const bool in_place = !values.borrowed && p.kept.size() <= values.cols;
  FeatureMatrix wider(in_place ? 0 : rows, p.kept.size());
  const RowTransform transform(p.transform, source.size());
  std::vector<std::size_t> filled(row_blocks(rows));
  pool.run(filled.size(), [&](std::size_t block) {
    RowMatcher match(p, source, transform);
    for_rows(block, rows, [&](std::size_t i) {
      const float* from = std::as_const(values).row(i);
      const bool later = !ranked_later.empty() && ranked_later[i];
      filled[block] += match(from, in_place ? values.row(i) : wider.row(i), data, i, later);
    });
  });
  if (in_place) {
    close_gaps(values, p.kept.size());
  } else {
    data.features = std::move(wider);
  }
  return std::accumulate(filled.begin(), filled.end(), std::size_t{0});
}

}  // namespace

MatchedColumns match_features(const Preprocessing& p, Dataset& data, const std::vector<bool>& ranked_later,
                              ThreadPool& pool) {
  if (data.features.is_dense()) {
    const std::size_t filled = match_rows(p, data, ranked_later, pool);
    return {all_columns(p.kept.size()), filled};
  }
  MatchedColumns out{match_columns(p, data), 0};
  const ColumnMoments moments = data.features.table().moments(0, data.features.cols(), pool);
  for (const std::uint32_t l : out.column)
    if (l < moments.missing.size()) out.missing += moments.missing[l];
  return out;
}

std::vector<std::uint32_t> absent_inputs(const Preprocessing& p, const Dataset& data) {
  return look_for_features(p, data).absent;
}

void add_absent_columns(const Preprocessing& p, std::span<const std::uint32_t> absent, Dataset& data) {
  data.features.make_dense();
  if (absent.empty()) return;
  const FeatureMatrix& had = std::as_const(data.features).dense();
  FeatureMatrix wider(had.rows, had.cols + absent.size());
  for (std::size_t i = 0; i < had.rows; ++i)
    std::fill_n(std::copy_n(had.row(i), had.cols, wider.row(i)), absent.size(), std::nanf(""));
  for (const std::uint32_t j : absent) data.feature_names.push_back(p.feature_names[p.kept[j]]);
  data.features = std::move(wider);
}

std::vector<std::vector<std::uint32_t>> missing_inputs(const Preprocessing& p, const Dataset& data,
                                                       std::span<const std::uint32_t> absent, ThreadPool& pool) {
  const std::vector<std::size_t> source = find_features(p, data);
  struct Place {
    std::size_t column;
    std::uint32_t input;
  };
  std::vector<Place> places;
  auto next = absent.begin();
  for (std::uint32_t j = 0; j < p.kept.size(); ++j)
    if (next != absent.end() && *next == j)
      ++next;
    else if (source[p.kept[j]] != absent_zero)
      places.push_back({source[p.kept[j]], j});
  const FeatureMatrix& values = data.features.dense();
  std::vector<std::vector<std::uint32_t>> out(values.rows);
  pool.run(row_blocks(values.rows), [&](std::size_t block) {
    for_rows(block, values.rows, [&](std::size_t i) {
      const float* row = values.row(i);
      for (const Place& place : places)
        if (std::isnan(row[place.column])) out[i].push_back(place.input);
    });
  });
  return out;
}

FeatureMatrix measured_values(const Preprocessing& p, const Dataset& data, std::span<const std::uint32_t> inputs) {
  const std::vector<std::size_t> source = find_features(p, data);
  const FeatureMatrix& values = data.features.dense();
  FeatureMatrix out(values.rows, inputs.size());
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    const std::uint32_t l = p.kept[inputs[j]];
    for (std::size_t mu = 0; mu < out.rows; ++mu) {
      const float value = source[l] == absent_zero ? 0.0F : values.row(mu)[source[l]];
      out.row(mu)[j] = std::isnan(value) ? static_cast<float>(p.impute[l]) : value;
    }
  }
  return out;
}

}  // namespace cavity
