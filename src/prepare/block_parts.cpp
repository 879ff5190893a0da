#include "prepare/block_parts.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace cavity {

namespace {

template <class Values>
Values slice(const Values& of, std::size_t first, std::size_t last) {
  if (of.empty()) return {};
  return Values(of.begin() + static_cast<std::ptrdiff_t>(first), of.begin() + static_cast<std::ptrdiff_t>(last));
}

}  // namespace

Preprocessing preparation_of_block(const Preprocessing& whole, std::size_t b) {
  std::size_t first = 0;
  for (std::size_t before = 0; before < b; ++before) first += whole.blocks[before].features;
  const std::size_t last = first + whole.blocks[b].features;
  const auto place = [&](std::size_t feature) {
    return static_cast<std::size_t>(std::ranges::lower_bound(whole.kept, feature) - whole.kept.begin());
  };
  const std::size_t first_kept = place(first), last_kept = place(last);
  Preprocessing out;
  out.transform = whole.blocks[b].transform;
  out.feature_names = slice(whole.feature_names, first, last);
  out.impute = slice(whole.impute, first, last);
  for (std::size_t j = first_kept; j < last_kept; ++j)
    out.kept.push_back(whole.kept[j] - static_cast<std::uint32_t>(first));
  out.centre = slice(whole.centre, first_kept, last_kept);
  out.scale = slice(whole.scale, first_kept, last_kept);
  out.median = slice(whole.median, first_kept, last_kept);
  out.spread = slice(whole.spread, first_kept, last_kept);
  out.unit_variance = whole.unit_variance;
  return out;
}

std::size_t features_that_count(const Preprocessing& p) {
  if (p.blocks.empty()) return p.inputs();
  double squares = 0, fourths = 0;
  std::size_t j = 0, end = 0;
  for (const BlockPreparation& block : p.blocks) {
    end += block.features;
    for (; j < p.kept.size() && p.kept[j] < end; ++j) {
      squares += std::pow(block.factor, 2);
      fourths += std::pow(block.factor, 4);
    }
  }
  return static_cast<std::size_t>(std::max(1.0, std::round(squares * squares / fourths)));
}

Dataset features_of_block(const Preprocessing& block, const Dataset& data) {
  const std::unordered_set<std::string_view> known(block.feature_names.begin(), block.feature_names.end());
  std::vector<std::size_t> columns;
  Dataset out;
  for (std::size_t l = 0; l < data.feature_names.size(); ++l) {
    if (!known.contains(data.feature_names[l])) continue;
    columns.push_back(l);
    out.feature_names.push_back(data.feature_names[l]);
  }
  const FeatureMatrix& from = data.features.dense();
  FeatureMatrix values(from.rows, columns.size());
  for (std::size_t i = 0; i < from.rows; ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) values.row(i)[j] = from.row(i)[columns[j]];
  out.features = std::move(values);
  out.sample_names = data.sample_names;
  return out;
}

}  // namespace cavity
