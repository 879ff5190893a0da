#include "table/sparse_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "cavity/errors.hpp"
#include "file/bytes.hpp"
#include "file/messages.hpp"
#include "table/matrix_size.hpp"

namespace cavity {

namespace {

constexpr std::size_t block_columns = 1024;

template <class F>
void for_columns(std::size_t count, ThreadPool& pool, const F& work) {
  pool.run((count + block_columns - 1) / block_columns, [&](std::size_t block) {
    for (std::size_t l = block * block_columns; l < std::min(count, (block + 1) * block_columns); ++l) work(l);
  });
}

}  // namespace

// Two passes over a column, which is exact where one is not: the mean, then the deviations from it.
ColumnMoments SparseTable::moments(std::size_t begin, std::size_t stop, ThreadPool& pool) const {
  constexpr double noise_level = 1e-6;  // as in column_moments.cpp
  const std::size_t n = stop - begin;
  ColumnMoments out;
  out.mean.resize(n);
  out.deviation.resize(n);
  out.missing.resize(n);
  out.constant.resize(n);
  for_columns(n, pool, [&](std::size_t l) {
    const auto first = values_.start[begin + l], end = values_.start[begin + l + 1];
    const auto unstored = static_cast<double>(samples() - (end - first));
    double sum = 0, known = unstored;
    float lowest = unstored > 0 ? 0 : std::numeric_limits<float>::infinity(), highest = unstored > 0 ? 0 : -lowest;
    for (auto k = first; k < end; ++k) {
      const float value = values_.value[k];
      if (std::isnan(value)) continue;
      known += 1;
      sum += static_cast<double>(value);
      lowest = std::min(lowest, value);
      highest = std::max(highest, value);
    }
    out.missing[l] = static_cast<std::uint32_t>(static_cast<double>(samples()) - known);
    if (known == 0) {
      out.constant[l] = 1;
      return;
    }
    const double mean = sum / known;
    double square = unstored * mean * mean;
    for (auto k = first; k < end; ++k) {
      const double difference = static_cast<double>(values_.value[k]) - mean;
      if (!std::isnan(difference)) square += difference * difference;
    }
    out.mean[l] = mean;
    out.deviation[l] = std::sqrt(square / known);
    const double largest = std::max(std::abs(lowest), std::abs(highest));
    out.constant[l] = lowest == highest || out.deviation[l] <= noise_level * largest;
  });
  return out;
}

std::vector<double> SparseTable::row_squares(const ScaledColumns& columns, ThreadPool&, const Shards& shards) const {
  std::vector<double> out(samples(), 0);
  double base = 0;  // a sample without any stored value
  for (std::size_t l = 0; l < columns.count(); ++l) {
    const double c = columns.centre[l], square = columns.scale[l] * columns.scale[l];
    base += square * c * c;
    if (columns.column[l] == zeros) continue;
    for (auto k = values_.start[columns.column[l]]; k < values_.start[columns.column[l] + 1]; ++k) {
      const auto value = static_cast<double>(values_.value[k]);
      out[values_.row[k]] += square * (std::isnan(value) ? -c * c : (value - 2 * c) * value);
    }
  }
  for (double& square : out) square = std::max(0.0, base + square);
  shards.sum(out);
  return out;
}

FeatureMatrix SparseTable::dense(std::span<const std::uint32_t> columns) const {
  FeatureMatrix out = allocate_features(samples(), columns.size(), "a dense form of sparse data");
  for (std::size_t l = 0; l < columns.size(); ++l) {
    if (columns[l] == zeros) continue;
    for (auto k = values_.start[columns[l]]; k < values_.start[columns[l] + 1]; ++k)
      out.row(values_.row[k])[l] = values_.value[k];
  }
  return out;
}

ColumnBuilder::ColumnBuilder(std::size_t samples, std::size_t columns, std::size_t stored, const std::string& path) {
  if (samples == 0) throw InputError(fmt::format("{}: no samples", shown_path(path)));
  if (columns == 0) throw InputError(fmt::format("{}: no features", shown_path(path)));
  constexpr double a_value = sizeof(float) + sizeof(std::uint32_t);
  constexpr double a_column = 2 * sizeof(std::uint64_t) + sizeof(std::string);
  // A few bytes of Matrix Market can ask for any number of samples, and each has a name.
  const double needed = a_value * static_cast<double>(stored) + a_column * static_cast<double>(columns) +
                        sizeof(std::string) * static_cast<double>(samples);
  const auto limit = static_cast<double>(memory_limit());
  if (needed > limit)
    throw InputError(
        fmt::format("{}: {} values of {} samples in {} features need {:.3g} GB, and {:.3g} GB can be used; check the "
                    "largest feature index, or leave out features",
                    shown_path(path), stored, samples, columns, 1e-9 * needed, 1e-9 * limit));
  next_.resize(columns);
  made_.samples = samples;
  made_.start.resize(columns + 1);
}

void ColumnBuilder::start_filling() {
  std::uint64_t at = 0;
  for (std::size_t l = 0; l < next_.size(); ++l) {
    made_.start[l] = at;
    at += std::exchange(next_[l], at);
  }
  made_.start[next_.size()] = at;
  made_.row.resize(at);
  made_.value.resize(at);
}

void ColumnBuilder::add(std::size_t row, std::size_t column, float value) {
  const std::uint64_t at = next_[column]++;
  made_.row[at] = static_cast<std::uint32_t>(row);
  made_.value[at] = value;
}

std::optional<std::pair<std::size_t, std::size_t>> sort_rows(CompressedColumns& values) {
  std::vector<std::pair<std::uint32_t, float>> column;
  for (std::size_t l = 0; l + 1 < values.start.size(); ++l) {
    const auto first = values.start[l], end = values.start[l + 1];
    column.clear();
    for (auto k = first; k < end; ++k) column.emplace_back(values.row[k], values.value[k]);
    const auto by_row = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(column.begin(), column.end(), by_row)) std::sort(column.begin(), column.end(), by_row);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (i > 0 && column[i].first == column[i - 1].first) return std::pair(std::size_t{column[i].first}, l);
      std::tie(values.row[first + i], values.value[first + i]) = column[i];
    }
  }
  return std::nullopt;
}

void check_columns(const CompressedColumns& values) {
  const auto wrong = [&](const char* what) {
    return std::invalid_argument(fmt::format("compressed columns: {} ({} samples, {} columns, {} rows, {} values)",
                                             what, values.samples, values.columns(), values.row.size(),
                                             values.value.size()));
  };
  if (values.start.empty() || values.start.front() != 0) throw wrong("the starts must begin with 0");
  if (values.start.back() != values.value.size() || values.row.size() != values.value.size())
    throw wrong("the last start must be the number of rows and values");
  if (!std::is_sorted(values.start.begin(), values.start.end())) throw wrong("the starts must ascend");
  for (std::size_t l = 0; l < values.columns(); ++l)
    for (auto k = values.start[l]; k < values.start[l + 1]; ++k)
      if (values.row[k] >= values.samples || (k > values.start[l] && values.row[k] <= values.row[k - 1]))
        throw wrong("the rows of a column must ascend and lie below the number of samples");
}

bool worth_sparse(std::size_t stored, std::size_t samples, std::size_t columns) {
  constexpr double largest_share = 0.1;  // above it the dense kernels are faster
  return static_cast<double>(stored) <= largest_share * static_cast<double>(samples) * static_cast<double>(columns);
}

void assign_sparse(Dataset& dataset, CompressedColumns values) {
  const std::size_t samples = values.samples, columns = values.start.size() - 1, stored = values.value.size();
  const double share = static_cast<double>(stored) / static_cast<double>(samples) / static_cast<double>(columns);
  dataset.notes.push_back(
      fmt::format("sparse: {} of {} x {} values stored ({:.2g} %)", stored, samples, columns, 100 * share));
  dataset.features = FeatureTable(std::make_shared<SparseTable>(std::move(values)));
}

}  // namespace cavity
