// cuBLAS and cuSOLVER, found when the program runs: it builds where neither is installed. Matrices are column-major.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace cavity::cuda {

enum class Transposed : int { no = 0, yes = 1 };
enum class Side : int { left = 0, right = 1 };

class Libraries {
 public:
  /// IoError that names the library that is not there.
  void open(cudaStream_t stream);
  void close();

  struct Sizes {
    int rows, columns, depth;
  };
  struct Operand {
    const double* values;
    int leading;
    Transposed transposed = Transposed::no;
  };
  struct Result {
    double* values;
    int leading;
  };
  /// out = scale a b + keep out
  void multiply(const Sizes& sizes, double scale, const Operand& a, const Operand& b, double keep,
                const Result& out) const;
  /// The same `count` times, each matrix its stride further.
  struct Strides {
    int count;
    std::int64_t a, b, out;
  };
  void multiply_many(const Strides& strides, const Sizes& sizes, double scale, const Operand& a, const Operand& b,
                     const Result& out) const;
  /// Lower triangle: out = scale a^T a + keep out (a: depth x size), or a a^T where `a` says transposed.
  void gram(int size, int depth, double scale, const Operand& a, double keep, const Result& out) const;
  /// y = scale a x + keep y; rows and columns are those of a as it lies there.
  void multiply_vector(int rows, int columns, double scale, const Operand& a, const double* x, double keep,
                       double* y) const;
  /// b <- b L^-T (right) or L^-1 b, L^-T b (left), L lower triangular.
  void solve_lower(Side side, Transposed transposed, int rows, int columns, const double* lower, int leading, double* b,
                   int leading_b) const;
  /// Lower triangle, in place. False when it is not positive definite.
  bool factor(int size, double* values) const;

 private:
  void* blas_ = nullptr;
  void* solver_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace cavity::cuda
