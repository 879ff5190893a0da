// The feature matrix as products only: solvers never see its entries, so a sparse, bit-packed or distributed matrix is
// one more implementation. x_mu,l below is the preprocessed entry (centred, scaled, rows of length sqrt(features)).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "base/shards.hpp"
#include "base/threads.hpp"

namespace cavity {

/// Memory that sweeps keep between calls: a loop of them allocates nothing.
class Scratch {
 public:
  double* doubles(std::size_t n) { return at_least(doubles_, n); }
  float* floats(std::size_t n) { return at_least(floats_, n); }

 private:
  template <class T>
  static T* at_least(std::vector<T>& v, std::size_t n) {
    if (v.size() < n) v.resize(n);
    return v.data();
  }
  std::vector<double> doubles_;
  std::vector<float> floats_;
};

/// Rough: where a relative error near 1e-7 does not matter. A design may then round, and need not.
enum class Precision { full, rough };

class Design {
 public:
  virtual ~Design() = default;

  virtual std::size_t samples() const = 0;
  virtual std::size_t features() const = 0;  // of this process

  /// Which processes hold the features, and how many they hold together (N of the formulas).
  virtual const Shards& shards() const { return Shards::whole(); }
  virtual std::size_t total_features() const { return features(); }

  /// Whether rows, and columns, are of much the same make, as those of a dense table: a hint for damping.
  virtual bool even() const { return true; }

  /// out_mu = sum_l x_mu,l v_l
  void times(std::span<const double> v, std::span<double> out, ThreadPool& pool,
             Precision precision = Precision::full) const;

  /// out_l = sum_mu x_mu,l u_mu
  void transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool,
                       Precision precision = Precision::full) const;

  /// out_mu = sum_l x_mu,l^2 v_l and out_l = sum_mu x_mu,l^2 u_mu, for variances: a design that rounds may leave an
  /// error near 1e-9 of the largest weight's share.
  void squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const;
  void squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const;

  /// Products with the entries and with their squares at once, the same numbers: in one pass over the matrix where the
  /// design can.
  struct TwoWeights {
    std::span<const double> plain, squared;
  };
  struct TwoProducts {
    std::span<double> plain, squared;
  };
  void times_both(const TwoWeights& v, const TwoProducts& out, ThreadPool& pool,
                  Precision precision = Precision::full) const;
  void transpose_times_both(const TwoWeights& u, const TwoProducts& out, ThreadPool& pool,
                            Precision precision = Precision::full) const;

  /// Both products: out = X^T u with u the reactions to X v. `react` is called for some consecutive samples at a time,
  /// possibly from several threads, and puts the reactions in the place of their products. In one pass over the matrix
  /// where the design can.
  using Reaction = std::function<void(std::size_t first, std::span<double> products)>;
  void sweep(std::span<const double> v, const Reaction& react, std::span<double> out, Scratch& scratch,
             ThreadPool& pool, Precision precision = Precision::full) const;

  /// Many sweeps: out[k] = X^T u_k with u_k from the products X v[k]. The sums may be in single precision
  /// (a relative error near 1e-7). `react` is called once a sample, possibly from several threads, for a few samples at
  /// a time: products[i*stride + k] is sample first + i, model k; it writes the reactions to the same places.
  struct SampleRange {
    std::size_t first, count, stride;
  };
  using BatchReaction = std::function<void(const SampleRange& samples, const double* products, double* reactions)>;
  virtual void sweep_many(std::span<const std::span<const double>> v, const BatchReaction& react,
                          std::span<const std::span<double>> out, Scratch& scratch, ThreadPool& pool) const;

  /// out = X diag(t) X^T, samples x samples.
  void gram(std::span<const double> t, Matrix& out, ThreadPool& pool, Precision precision = Precision::full) const;

  /// out_l = x_l^T W x_l for every feature's column x_l; W symmetric, only its lower triangle is read.
  void quadratic(const Matrix& w, std::span<double> out, ThreadPool& pool, Precision precision = Precision::full) const;

  /// Whether gram and quadratic multiply in single precision (and add up in double): a relative error near 1e-7.
  virtual bool rounds(Precision) const { return false; }

  /// out(mu, j) = x_mu,which[j].
  virtual void columns(std::span<const std::size_t> which, Matrix& out) const = 0;

 protected:
  /// std::invalid_argument that names the sizes, unless got = expected.
  void check(std::size_t got, std::size_t expected, const char* what) const;

 private:
  // The products, for vectors whose sizes are right.
  virtual void do_times(std::span<const double> v, std::span<double> out, Precision precision,
                        ThreadPool& pool) const = 0;
  virtual void do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                                  ThreadPool& pool) const = 0;
  virtual void do_gram(std::span<const double> t, Matrix& out, Precision precision, ThreadPool& pool) const = 0;
  virtual void do_quadratic(const Matrix& w, std::span<double> out, Precision precision, ThreadPool& pool) const = 0;
  virtual void do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const = 0;
  virtual void do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const = 0;
  /// Here one after the other.
  virtual void do_times_both(const TwoWeights& v, const TwoProducts& out, Precision precision, ThreadPool& pool) const;
  virtual void do_transpose_times_both(const TwoWeights& u, const TwoProducts& out, Precision precision,
                                       ThreadPool& pool) const;
  /// Here by the two products.
  virtual void do_sweep(std::span<const double> v, const Reaction& react, std::span<double> out, Scratch& scratch,
                        Precision precision, ThreadPool& pool) const;
};

}  // namespace cavity
