// One process's part of a design whose features are dealt out to several: products over features are summed over all.
#pragma once

#include <memory>

#include "design/design.hpp"
#include "design/rounding_design.hpp"

namespace cavity {

/// Never rough, so that 1 process and many give the same numbers to rounding.
class ShardedDesign final : public Design {
 public:
  /// `mine` holds this process's features; none when there are more processes than features.
  ShardedDesign(std::unique_ptr<const Design> mine, std::size_t samples, std::size_t total_features,
                const Shards& shards);

  std::size_t samples() const override { return samples_; }
  std::size_t features() const override { return mine_ ? mine_->features() : 0; }
  std::size_t total_features() const override { return total_; }
  const Shards& shards() const override { return shards_; }
  bool even() const override { return even_; }
  bool rounds(Precision precision) const override { return mine_ && mine_->rounds(precision); }
  void do_gram(std::span<const double> t, Matrix& out, Precision precision, ThreadPool& pool) const override;
  void do_quadratic(const Matrix& w, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  void columns(std::span<const std::size_t> which, Matrix& out) const override;

 private:
  void do_times(std::span<const double> v, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  void do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                          ThreadPool& pool) const override;
  void do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const override;
  void do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const override;
  std::unique_ptr<const Design> mine_;
  const RoundingDesign* rounding_;  // mine, where it rounds
  std::size_t samples_, total_;
  const Shards& shards_;
  bool even_;  // of all processes' features: one that has none follows the others
};

/// Columns of features anywhere, by their position among all: every process gets all of them.
void columns_anywhere(const Design& design, std::span<const std::size_t> which, Matrix& out);

/// The columns of all processes side by side, in the order of their ranks.
Matrix join_columns(const Shards& shards, const Matrix& mine);

}  // namespace cavity
