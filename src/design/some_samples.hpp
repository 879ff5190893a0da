// Some samples of another design, in any order: what a refit without one of them needs, without a copy of the matrix.
#pragma once

#include "design/design.hpp"

namespace cavity {

/// Never rough: what refits are compared with is not.
class SomeSamples final : public Design {
 public:
  /// `design` must outlive this; `which` names samples of it, none twice.
  SomeSamples(const Design& design, std::vector<std::size_t> which);

  std::size_t samples() const override { return which_.size(); }
  std::size_t features() const override { return design_.features(); }
  const Shards& shards() const override { return design_.shards(); }
  bool even() const override { return design_.even(); }
  bool rounds(Precision precision) const override { return design_.rounds(precision); }
  std::size_t total_features() const override { return design_.total_features(); }
  void do_gram(std::span<const double> t, Matrix& out, Precision precision, ThreadPool& pool) const override;
  void do_quadratic(const Matrix& w, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  void columns(std::span<const std::size_t> which, Matrix& out) const override;

 private:
  void do_times(std::span<const double> v, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  void do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                          ThreadPool& pool) const override;
  void do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const override;
  void do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const override;
  void do_sweep(std::span<const double> v, const Reaction& react, std::span<double> out, Scratch& scratch,
                Precision precision, ThreadPool& pool) const override;
  const Design& design_;
  std::vector<std::size_t> which_;
  std::vector<std::size_t> place_;  // a sample of the whole design: where it stands here, or `absent`
};

}  // namespace cavity
