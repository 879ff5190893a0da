#include "cuda/libraries.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <vector>

#include "cavity/errors.hpp"
#include "cuda/device_array.hpp"

namespace cavity::cuda {

namespace {

constexpr int lower = 0, non_unit = 0;  // of the libraries' enumerations

/// Every version that keeps these calls' forms.
void* open_library(const char* name, const std::vector<int>& versions) {
  for (const char* folder : {"", "/usr/local/cuda/lib64/"})
    for (const int version : versions)
      if (void* library = dlopen(fmt::format("{}lib{}.so.{}", folder, name, version).c_str(), RTLD_NOW | RTLD_GLOBAL))
        return library;
  throw IoError(
      fmt::format("lib{0}.so.{1} is not to be found: install CUDA's libraries (from PyPI: nvidia-{0}), and "
                  "name their folder in LD_LIBRARY_PATH",
                  name, versions.front()));
}

template <class Function>
void find(void* library, const char* name, Function& out) {
  out = reinterpret_cast<Function>(dlsym(library, name));
  if (!out) throw IoError(fmt::format("CUDA's libraries lack {}: they are of another version", name));
}

void check_library(int status, const char* what) {
  constexpr int out_of_memory = 3, solver_out_of_memory = 2;  // ALLOC_FAILED of cuBLAS and cuSOLVER
  if (status == 0) return;
  if (status == out_of_memory || status == solver_out_of_memory) check(cudaErrorMemoryAllocation, what);
  throw IoError(fmt::format("the device failed ({}): its library says {}", what, status));
}

struct Functions {
  int (*blas_create)(void**);
  int (*blas_destroy)(void*);
  int (*blas_stream)(void*, cudaStream_t);
  int (*gemm)(void*, int, int, int, int, int, const double*, const double*, int, const double*, int, const double*,
              double*, int);
  int (*gemm_many)(void*, int, int, int, int, int, const double*, const double*, int, long long, const double*, int,
                   long long, const double*, double*, int, long long, int);
  int (*syrk)(void*, int, int, int, int, const double*, const double*, int, const double*, double*, int);
  int (*gemv)(void*, int, int, int, const double*, const double*, int, const double*, int, const double*, double*, int);
  int (*trsm)(void*, int, int, int, int, int, int, const double*, const double*, int, double*, int);
  int (*solver_create)(void**);
  int (*solver_destroy)(void*);
  int (*solver_stream)(void*, cudaStream_t);
  int (*potrf_size)(void*, int, int, double*, int, int*);
  int (*potrf)(void*, int, int, double*, int, double*, int, int*);

  Functions() {
    void* blas = open_library("cublas", {13, 12});
    void* solver = open_library("cusolver", {12, 11});
    find(blas, "cublasCreate_v2", blas_create);
    find(blas, "cublasDestroy_v2", blas_destroy);
    find(blas, "cublasSetStream_v2", blas_stream);
    find(blas, "cublasDgemm_v2", gemm);
    find(blas, "cublasDgemmStridedBatched", gemm_many);
    find(blas, "cublasDsyrk_v2", syrk);
    find(blas, "cublasDgemv_v2", gemv);
    find(blas, "cublasDtrsm_v2", trsm);
    find(solver, "cusolverDnCreate", solver_create);
    find(solver, "cusolverDnDestroy", solver_destroy);
    find(solver, "cusolverDnSetStream", solver_stream);
    find(solver, "cusolverDnDpotrf_bufferSize", potrf_size);
    find(solver, "cusolverDnDpotrf", potrf);
  }
};

const Functions& functions() {
  static const Functions all;
  return all;
}

}  // namespace

void Libraries::open(cudaStream_t stream) {
  const Functions& f = functions();
  stream_ = stream;
  check_library(f.blas_create(&blas_), "starting cuBLAS");
  check_library(f.blas_stream(blas_, stream), "cuBLAS's stream");
  check_library(f.solver_create(&solver_), "starting cuSOLVER");
  check_library(f.solver_stream(solver_, stream), "cuSOLVER's stream");
}

void Libraries::close() {
  if (solver_) functions().solver_destroy(solver_);
  if (blas_) functions().blas_destroy(blas_);
  blas_ = solver_ = nullptr;
}

void Libraries::multiply(const Sizes& sizes, double scale, const Operand& a, const Operand& b, double keep,
                         const Result& out) const {
  if (sizes.rows == 0 || sizes.columns == 0) return;
  check_library(
      functions().gemm(blas_, static_cast<int>(a.transposed), static_cast<int>(b.transposed), sizes.rows, sizes.columns,
                       sizes.depth, &scale, a.values, a.leading, b.values, b.leading, &keep, out.values, out.leading),
      "a product of matrices");
}

void Libraries::multiply_many(const Strides& strides, const Sizes& sizes, double scale, const Operand& a,
                              const Operand& b, const Result& out) const {
  if (sizes.rows == 0 || sizes.columns == 0 || strides.count == 0) return;
  const double nothing = 0;
  check_library(
      functions().gemm_many(blas_, static_cast<int>(a.transposed), static_cast<int>(b.transposed), sizes.rows,
                            sizes.columns, sizes.depth, &scale, a.values, a.leading, strides.a, b.values, b.leading,
                            strides.b, &nothing, out.values, out.leading, strides.out, strides.count),
      "products of matrices");
}

void Libraries::gram(int size, int depth, double scale, const Operand& a, double keep, const Result& out) const {
  if (size == 0) return;
  const int transposed = a.transposed == Transposed::yes ? 0 : 1;
  check_library(functions().syrk(blas_, lower, transposed, size, depth, &scale, a.values, a.leading, &keep, out.values,
                                 out.leading),
                "a symmetric product");
}

void Libraries::multiply_vector(int rows, int columns, double scale, const Operand& a, const double* x, double keep,
                                double* y) const {
  if (rows == 0 || columns == 0) return;
  check_library(functions().gemv(blas_, static_cast<int>(a.transposed), rows, columns, &scale, a.values, a.leading, x,
                                 1, &keep, y, 1),
                "a product with a vector");
}

void Libraries::solve_lower(Side side, Transposed transposed, int rows, int columns, const double* factor, int leading,
                            double* b, int leading_b) const {
  if (rows == 0 || columns == 0) return;
  const double one = 1;
  check_library(functions().trsm(blas_, static_cast<int>(side), lower, static_cast<int>(transposed), non_unit, rows,
                                 columns, &one, factor, leading, b, leading_b),
                "a triangular solve");
}

bool Libraries::factor(int size, double* values) const {
  if (size == 0) return true;
  int length = 0;
  check_library(functions().potrf_size(solver_, lower, size, values, size, &length), "planning a factor");
  DeviceArray<double> work(static_cast<std::size_t>(length), stream_);
  DeviceArray<int> info(1, stream_);
  check_library(functions().potrf(solver_, lower, size, values, size, work.data(), length, info.data()), "a factor");
  return info.to_host().front() == 0;
}

}  // namespace cavity::cuda
