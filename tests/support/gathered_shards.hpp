// A design dealt out to processes that are played by threads, seen from outside as one: each product is done by all of
// them at once and put together. What every process must know alike is checked to the bit.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>

#include "design/sharded_design.hpp"
#include "support/thread_shards.hpp"

namespace cavity::test {

class GatheredShards final : public Design {
 public:
  /// part(own) makes the design of the features [own.first, own.last), none for no feature.
  using MakePart = std::function<std::unique_ptr<const Design>(const Shards::Part& own)>;
  GatheredShards(std::size_t ranks, std::size_t samples, std::size_t features, MakePart part)
      : ranks_(ranks), samples_(samples), features_(features), part_(std::move(part)) {}

  std::size_t samples() const override { return samples_; }
  std::size_t features() const override { return features_; }
  void do_gram(std::span<const double> t, Matrix& out, Precision precision, ThreadPool& pool) const override {
    std::vector<Matrix> each(ranks_);
    on_each(pool, [&](const ShardedDesign& design, const Shards::Part& own, ThreadPool& threads) {
      design.gram(t.subspan(own.first, own.count()), each[design.shards().rank()], threads, precision);
    });
    for (const Matrix& one : each)
      if (one != each[0]) throw std::logic_error("processes disagree");
    out = each[0];
  }
  void do_quadratic(const Matrix& w, std::span<double> out, Precision precision, ThreadPool& pool) const override {
    on_each(pool, [&](const ShardedDesign& design, const Shards::Part& own, ThreadPool& threads) {
      design.quadratic(w, out.subspan(own.first, own.count()), threads, precision);
    });
  }
  void columns(std::span<const std::size_t> which, Matrix& out) const override {
    ThreadPool pool(1);
    on_each(pool, [&](const ShardedDesign& design, const Shards::Part&, ThreadPool&) {
      Matrix mine;
      columns_anywhere(design, which, mine);
      if (design.shards().rank() == 0) out = mine;
    });
  }

 private:
  using Work = std::function<void(const ShardedDesign&, const Shards::Part& own, ThreadPool&)>;
  void on_each(const ThreadPool& pool, const Work& work) const {
    ThreadShards::run(ranks_, [&](const Shards& shards) {
      const Shards::Part own = shards.part(features_);
      ThreadPool threads(pool.size());
      work(ShardedDesign(part_(own), samples_, features_, shards), own, threads);
    });
  }
  // product(design, own, threads, out): out, over the samples, must be the same in all processes.
  template <class Product>
  void over_features(std::span<double> out, const ThreadPool& pool, const Product& product) const {
    std::vector<std::vector<double>> each(ranks_, std::vector<double>(samples_));
    on_each(pool, [&](const ShardedDesign& design, const Shards::Part& own, ThreadPool& threads) {
      product(design, own, threads, each[design.shards().rank()]);
    });
    for (const auto& one : each)
      if (one != each[0]) throw std::logic_error("processes disagree");
    std::copy(each[0].begin(), each[0].end(), out.begin());
  }
  void do_times(std::span<const double> v, std::span<double> out, Precision precision,
                ThreadPool& pool) const override {
    over_features(out, pool, [&](const auto& design, const Shards::Part& own, ThreadPool& threads, auto& mine) {
      design.times(v.subspan(own.first, own.count()), mine, threads, precision);
    });
  }
  void do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                          ThreadPool& pool) const override {
    on_each(pool, [&](const ShardedDesign& design, const Shards::Part& own, ThreadPool& threads) {
      design.transpose_times(u, out.subspan(own.first, own.count()), threads, precision);
    });
  }
  void do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const override {
    over_features(out, pool, [&](const auto& design, const Shards::Part& own, ThreadPool& threads, auto& mine) {
      design.squared_times(v.subspan(own.first, own.count()), mine, threads);
    });
  }
  void do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const override {
    on_each(pool, [&](const ShardedDesign& design, const Shards::Part& own, ThreadPool& threads) {
      design.squared_transpose_times(u, out.subspan(own.first, own.count()), threads);
    });
  }

  std::size_t ranks_, samples_, features_;
  MakePart part_;
};

}  // namespace cavity::test
