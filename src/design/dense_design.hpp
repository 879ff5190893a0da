// Dense design over float32 values that somebody else holds: x_mu,l = r_mu s_l (value_mu,l - c_l), applied on the fly,
// so that one copy of the data serves any preprocessing. Products accumulate in double.
#pragma once

#include "cavity/dataset.hpp"
#include "design/tiled_design.hpp"

namespace cavity {

/// Row-major float32 values, `stride` floats from one sample to the next.
struct FeatureView {
  const float* values;
  std::size_t samples, features, stride;
};
inline FeatureView view(const FeatureMatrix& m) { return {m.data(), m.rows, m.cols, m.cols}; }

class DenseDesign final : public TiledDesign {
 public:
  static constexpr std::size_t default_tiles = std::size_t{1} << 23;

  /// `centre`, `scale`: one a feature; `row_scale`: one a sample. Up to `most_in_tiles` entries are kept in tiles too.
  DenseDesign(FeatureView values, std::vector<double> centre, std::vector<double> scale, std::vector<double> row_scale,
              std::size_t most_in_tiles = default_tiles);
  /// The values as they are.
  explicit DenseDesign(FeatureView values);

  std::size_t samples() const override { return values_.samples; }
  std::size_t features() const override { return values_.features; }
  void sweep_many(std::span<const std::span<const double>> v, const BatchReaction& react,
                  std::span<const std::span<double>> out, Scratch& scratch, ThreadPool& pool) const override;
  void columns(std::span<const std::size_t> which, Matrix& out) const override;

  /// What the entries are made of, for designs that keep them elsewhere.
  const FeatureView& values() const { return values_; }
  const std::vector<double>& centre() const { return centre_; }
  const std::vector<double>& scale() const { return scale_; }
  const std::vector<double>& row_scale() const { return row_scale_; }

 private:
  void do_times(std::span<const double> v, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  void do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                          ThreadPool& pool) const override;
  void do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const override;
  void do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const override;
  void do_sweep(std::span<const double> v, const Reaction& react, std::span<double> out, Scratch& scratch,
                Precision precision, ThreadPool& pool) const override;
  using RowsAdder = void (*)(const float* rows, std::size_t stride, std::size_t count, const double* u, std::size_t n,
                             double* out);
  RowsAdder rows_adder(Precision precision) const;
  double entry(std::size_t sample, std::size_t feature) const;
  void pack_samples(std::size_t first_sample, std::size_t first_feature, std::size_t depth,
                    double* tile) const override;
  void pack_features(std::size_t first_feature, std::size_t first_sample, std::size_t depth,
                     double* tile) const override;

  struct SinglePrecision {
    SinglePrecision(const std::vector<double>& centres, const std::vector<double>& scales);
    std::vector<float> centre, centre_rest, scale;
  };
  void scale_block(std::size_t first_sample, std::size_t rows, std::size_t first_feature, std::size_t width,
                   float* out) const;

  FeatureView values_;
  std::vector<double> centre_, scale_, row_scale_;
  SinglePrecision single_;
  bool near_zero_ = true;  // all values, beside their spread: taking the centre off their sums costs no digits
};

}  // namespace cavity
