// What every design does the same way once it can hand out tiles of entries: the products that cost samples^2 x
// features multiply-adds, at the arithmetic peak: in double, or in single precision where that pays.
#pragma once

#include <memory>
#include <mutex>

#include "design/design.hpp"
#include "kernels/packed_rows.hpp"

namespace cavity {

class TiledDesign : public Design {
 public:
  /// Rough products do where that pays, and full ones where they take seconds.
  bool rounds(Precision precision) const override;

  /// What gram() of these rows and `fresh` ones beneath them says of the fresh ones, to the last bit:
  ///   cross = F diag(t) X^T, fresh x these,   squares_i = sum_l t_l f_i,l^2; none where `squares` is empty.
  void gram_beside(const TiledDesign& fresh, std::span<const double> t, Matrix& cross, std::span<double> squares,
                   ThreadPool& pool) const;

  /// out = X^T diag(u) X, features x features: only for features < samples.
  void feature_gram(std::span<const double> u, Matrix& out, ThreadPool& pool) const;

 protected:
  /// With few samples packing costs as much as the products: up to `most_in_tiles` entries are kept in tiles, half as
  /// many in double.
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
  void do_gram(std::span<const double> t, Matrix& out, Precision precision, ThreadPool& pool) const override;
  void do_quadratic(const Matrix& w, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  template <class T>
  void gram_in(std::span<const double> t, Matrix& out, ThreadPool& pool) const;
  template <class T>
  void beside_in(const TiledDesign& fresh, std::span<const double> t, Matrix& cross, std::span<double> squares,
                 ThreadPool& pool) const;
  template <class T>
  void quadratic_in(const Matrix& w, std::span<double> out, ThreadPool& pool) const;
  /// use(first feature, PackedRows): all features at once where tiles are kept, else some at a time.
  template <class T, class Use>
  void for_each_panel(const Use& use, ThreadPool& pool) const;

  template <class T>
  struct KeptTiles {
    std::once_flag packed;
    AlignedVector<T> values;
    PackedRows<T> rows{};
  };
  template <class T>
  KeptTiles<T>* kept() const;
  /// Of some features; kept ones where there are any.
  template <class T>
  PackedRows<T> tiles_of(std::size_t first, std::size_t count, AlignedVector<T>& room, ThreadPool& pool) const;

  std::size_t most_in_tiles_;
  std::unique_ptr<KeptTiles<float>> floats_;  // none for a large matrix
  std::unique_ptr<KeptTiles<double>> doubles_;
};

}  // namespace cavity
