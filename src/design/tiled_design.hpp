// What every design does the same way once it can hand out tiles of entries: the products that cost samples^2 x
// features multiply-adds, at the arithmetic peak: in double, or in single precision where they take seconds.
#pragma once

#include <memory>
#include <mutex>

#include "design/design.hpp"

namespace cavity {

class TiledDesign : public Design {
 public:
  void gram(std::span<const double> t, Matrix& out, ThreadPool& pool) const override;
  void quadratic(const Matrix& w, std::span<double> out, ThreadPool& pool) const override;
  bool single_precision() const override;

  /// out = X^T diag(u) X, features x features: only for features < samples.
  void feature_gram(std::span<const double> u, Matrix& out, ThreadPool& pool) const;

 protected:
  /// With few samples packing costs as much as the products: up to `most_in_tiles` entries are kept in tiles.
  TiledDesign(std::size_t samples, std::size_t features, std::size_t most_in_tiles);

  /// tile[k*16 + i] = x at sample first_sample + i, feature first_feature + k; zero beyond the last sample.
  virtual void pack_samples(std::size_t first_sample, std::size_t first_feature, std::size_t depth,
                            double* tile) const = 0;
  /// tile[k*16 + i] = x at sample first_sample + k, feature first_feature + i; zero beyond the last feature.
  virtual void pack_features(std::size_t first_feature, std::size_t first_sample, std::size_t depth,
                             double* tile) const = 0;
  /// Products are through with these features for now: a design in a file may let go of them.
  virtual void done_with(std::size_t /*first*/, std::size_t /*last*/) const {}

 private:
  void gram_in_floats(std::span<const double> t, Matrix& out, ThreadPool& pool) const;
  void quadratic_in_floats(const Matrix& w, std::span<double> out, ThreadPool& pool) const;
  std::size_t padded_samples() const { return (samples() + 7) / 8 * 8; }  // as quadratic_tile wants them
  const double* sample_tile(std::size_t first_sample, std::size_t first_feature, std::size_t depth,
                            double* scratch) const;
  const double* feature_tile(std::size_t first_feature, std::size_t first_sample, std::size_t depth,
                             double* scratch) const;

  struct KeptTiles {
    std::once_flag flag;
    std::vector<double> values;
  };
  template <class Pack>
  static const double* kept_tile(KeptTiles& kept, std::size_t index, std::size_t count, std::size_t size,
                                 const Pack& pack);
  struct Tiles {
    KeptTiles of_samples, of_features;
  };
  std::unique_ptr<Tiles> tiles_;  // none for a large matrix
};

}  // namespace cavity
