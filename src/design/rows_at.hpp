// Some rows of a dense design at some of its features, copied: their products cost what those features cost.
#pragma once

#include <span>
#include <vector>

#include "design/dense_design.hpp"

namespace cavity {

/// Consecutive rows.
struct RowRange {
  std::size_t first, count;
};

class RowsAt {
 public:
  /// `keep_tiles`: for products that are made again and again.
  RowsAt(const DenseDesign& of, RowRange rows, std::span<const std::size_t> features, bool keep_tiles)
      : values_(rows.count, features.size()),
        design_(fill(of, rows, features), picked(of.centre(), features), picked(of.scale(), features),
                {of.row_scale().begin() + static_cast<std::ptrdiff_t>(rows.first),
                 of.row_scale().begin() + static_cast<std::ptrdiff_t>(rows.first + rows.count)},
                keep_tiles ? DenseDesign::default_tiles : 0) {}

  const DenseDesign& design() const { return design_; }

 private:
  FeatureView fill(const DenseDesign& of, RowRange rows, std::span<const std::size_t> features) {
    for (std::size_t i = 0; i < rows.count; ++i) {
      const float* from = of.values().values + (rows.first + i) * of.values().stride;
      float* to = values_.row(i);
      for (std::size_t j = 0; j < features.size(); ++j) to[j] = from[features[j]];
    }
    return view(values_);
  }
  static std::vector<double> picked(const std::vector<double>& all, std::span<const std::size_t> features) {
    std::vector<double> out;
    out.reserve(features.size());
    for (const std::size_t l : features) out.push_back(all[l]);
    return out;
  }

  FeatureMatrix values_;
  DenseDesign design_;
};

/// All features of some rows, where they lie; no tiles are kept.
inline DenseDesign rows_of(const DenseDesign& of, RowRange rows) {
  FeatureView some = of.values();
  some.values += rows.first * some.stride;
  some.samples = rows.count;
  const auto scale = of.row_scale().begin() + static_cast<std::ptrdiff_t>(rows.first);
  return {some, of.centre(), of.scale(), {scale, scale + static_cast<std::ptrdiff_t>(rows.count)}, 0};
}

}  // namespace cavity
