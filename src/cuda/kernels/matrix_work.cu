#include "cuda/kernels/matrix_work.hpp"

#include "cuda/kernels/launch.hpp"

namespace cavity::cuda {

namespace {

constexpr unsigned tile = 32, tile_rows = 8, threads = 256;

__global__ void mirror_kernel(double* values, std::size_t size) {
  if (blockIdx.y < blockIdx.x) return;  // row tile y, column tile x: the lower ones
  __shared__ double part[tile][tile + 1];
  const std::size_t row0 = std::size_t{blockIdx.y} * tile, column0 = std::size_t{blockIdx.x} * tile;
  for (unsigned k = threadIdx.y; k < tile; k += tile_rows) {
    const std::size_t row = row0 + threadIdx.x, column = column0 + k;
    if (row < size && column < size) part[k][threadIdx.x] = values[column * size + row];
  }
  __syncthreads();
  for (unsigned k = threadIdx.y; k < tile; k += tile_rows) {
    const std::size_t row = row0 + k, column = column0 + threadIdx.x;  // written to (column, row)
    if (row < size && column < row) values[row * size + column] = part[threadIdx.x][k];
  }
}

__global__ void system_kernel(const double* k, const double* root, std::size_t size, double* out) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t column = blockIdx.y; column < size; column += gridDim.y) {
    if (row >= size) continue;
    const std::size_t at = column * size + row;
    out[at] = row < column ? 0 : root[row] * root[column] * k[at] + (row == column ? 1 : 0);
  }
}

__global__ void scale_kernel(double* values, const double* scale, std::size_t rows, std::size_t columns) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t column = blockIdx.y; column < columns; column += gridDim.y)
    if (row < rows) values[column * rows + row] *= scale[column];
}

__global__ void scale_lower_kernel(double* values, const double* scale, std::size_t size) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t column = blockIdx.y; column < size; column += gridDim.y)
    if (row < size) values[column * size + row] = row < column ? 0 : scale[column] * values[column * size + row];
}

__global__ void clear_upper_kernel(double* values, std::size_t size) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t column = blockIdx.y; column < size; column += gridDim.y)
    if (row < column) values[column * size + row] = 0;
}

/// A thread a column of the inverse, by substitution.
__global__ void invert_blocks_kernel(double* values, std::size_t size) {
  __shared__ double lower[inverse_block][inverse_block + 1], inverse[inverse_block][inverse_block + 1];
  const std::size_t first = std::size_t{blockIdx.x} * inverse_block;
  const int j = static_cast<int>(threadIdx.x);
  const int count = size - first < inverse_block ? static_cast<int>(size - first) : inverse_block;
  double* block = values + first * size + first;
  if (j < count)
    for (int i = j; i < count; ++i) lower[i][j] = block[static_cast<std::size_t>(j) * size + i];
  __syncthreads();
  if (j >= count) return;
  for (int i = j; i < count; ++i) {
    double sum = i == j ? 1 : 0;
    for (int k = j; k < i; ++k) sum -= lower[i][k] * inverse[k][j];
    inverse[i][j] = sum / lower[i][i];
    block[static_cast<std::size_t>(j) * size + i] = inverse[i][j];
  }
}

__global__ void take_diagonal_kernel(const double* values, std::size_t size, double* out) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) out[i] = values[i * size + i];
}

__global__ void make_diagonal_kernel(const double* diagonal, std::size_t size, double* out) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t column = blockIdx.y; column < size; column += gridDim.y)
    if (row < size) out[column * size + row] = row == column ? diagonal[row] : 0;
}

/// One block a column: out[j] = a(:, which j) . b(:, j).
__global__ void dot_kernel(const double* a, const double* b, std::size_t rows, const int* which, double* out) {
  const std::size_t j = blockIdx.x;
  const double* left = a + (which ? static_cast<std::size_t>(which[j]) : j) * rows;
  const double* right = b + j * rows;
  double sum = 0;
  for (std::size_t i = threadIdx.x; i < rows; i += blockDim.x) sum += left[i] * right[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[j] = sum;
}

__global__ void row_parts_kernel(const double* a, const double* b, std::size_t rows, std::size_t columns,
                                 double* work) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, part = blockIdx.y;
  if (row >= rows) return;
  const std::size_t last = columns * (part + 1) / row_sum_parts;
  double sum = 0;
  for (std::size_t j = columns * part / row_sum_parts; j < last; ++j) sum += a[j * rows + row] * b[j * rows + row];
  work[part * rows + row] = sum;
}

__global__ void add_parts_kernel(const double* work, std::size_t rows, double sign, double* out) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  for (std::size_t part = 0; part < row_sum_parts; ++part) sum += work[part * rows + row];
  out[row] += sign * sum;
}

__global__ void gather_columns_kernel(const double* values, std::size_t rows, const int* which, const double* scale,
                                      double* out) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (row < rows) out[j * rows + row] = scale[j] * values[static_cast<std::size_t>(which[j]) * rows + row];
}

__global__ void gather_rows_kernel(const double* values, std::size_t rows, std::size_t columns, const int* which,
                                   std::size_t count, double* out) {
  const std::size_t at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= count * columns) return;
  const std::size_t i = at % count, j = at / count;
  out[at] = values[j * rows + static_cast<std::size_t>(which[i])];
}

__global__ void members_kernel(double* values, MemberInputs inputs, std::size_t size, double* system) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, column = blockIdx.y;
  if (row >= size || row < column) return;
  const std::size_t at = column * size + row;
  double covariance = -values[at];
  if (row == column) {
    covariance += inputs.base[row];
    if (!isnan(inputs.diagonal[row])) covariance = inputs.diagonal[row];
  }
  values[at] = covariance;
  system[at] = (row == column ? 1 : 0) - inputs.root[row] * covariance * inputs.root[column];
}

dim3 rows_by(std::size_t rows, std::size_t others) {
  constexpr std::size_t most = 65535;
  return {blocks(rows, threads), static_cast<unsigned>(others < most ? others : most)};
}

}  // namespace

void mirror_lower(double* values, std::size_t size, cudaStream_t stream) {
  const unsigned tiles = blocks(size, tile);
  mirror_kernel<<<dim3(tiles, tiles), dim3(tile, tile_rows), 0, stream>>>(values, size);
  launched("mirror_lower");
}

void make_system(const double* k, const double* root, std::size_t size, double* out, cudaStream_t stream) {
  system_kernel<<<rows_by(size, size), threads, 0, stream>>>(k, root, size, out);
  launched("make_system");
}

void scale_lower(double* values, const double* scale, std::size_t size, cudaStream_t stream) {
  scale_lower_kernel<<<rows_by(size, size), threads, 0, stream>>>(values, scale, size);
  launched("scale_lower");
}

void invert_diagonal_blocks(double* values, std::size_t size, cudaStream_t stream) {
  clear_upper_kernel<<<rows_by(size, size), threads, 0, stream>>>(values, size);
  invert_blocks_kernel<<<blocks(size, inverse_block), inverse_block, 0, stream>>>(values, size);
  launched("invert_diagonal_blocks");
}

void take_diagonal(const double* values, std::size_t size, double* out, cudaStream_t stream) {
  if (size == 0) return;
  take_diagonal_kernel<<<blocks(size, threads), threads, 0, stream>>>(values, size, out);
  launched("take_diagonal");
}

void make_diagonal(const double* diagonal, std::size_t size, double* out, cudaStream_t stream) {
  if (size == 0) return;
  make_diagonal_kernel<<<rows_by(size, size), threads, 0, stream>>>(diagonal, size, out);
  launched("make_diagonal");
}

void scale_columns(double* values, const double* scale, std::size_t rows, std::size_t columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  scale_kernel<<<rows_by(rows, columns), threads, 0, stream>>>(values, scale, rows, columns);
  launched("scale_columns");
}

void column_squares(const double* values, std::size_t rows, std::size_t columns, double* out, cudaStream_t stream) {
  if (columns == 0) return;
  dot_kernel<<<static_cast<unsigned>(columns), threads, 0, stream>>>(values, values, rows, nullptr, out);
  launched("column_squares");
}

void add_row_products(const double* a, const double* b, std::size_t rows, std::size_t columns, double sign, double* out,
                      double* work, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  const unsigned row_blocks = blocks(rows, threads);
  row_parts_kernel<<<dim3(row_blocks, row_sum_parts), threads, 0, stream>>>(a, b, rows, columns, work);
  add_parts_kernel<<<row_blocks, threads, 0, stream>>>(work, rows, sign, out);
  launched("add_row_products");
}

void gather_columns(const double* values, std::size_t rows, const int* which, const double* scale, std::size_t count,
                    double* out, cudaStream_t stream) {
  if (count == 0) return;
  gather_columns_kernel<<<dim3(blocks(rows, threads), static_cast<unsigned>(count)), threads, 0, stream>>>(
      values, rows, which, scale, out);
  launched("gather_columns");
}

void gather_rows(const double* values, std::size_t rows, std::size_t columns, const int* which, std::size_t count,
                 double* out, cudaStream_t stream) {
  if (count == 0 || columns == 0) return;
  gather_rows_kernel<<<blocks(count * columns, threads), threads, 0, stream>>>(values, rows, columns, which, count,
                                                                               out);
  launched("gather_rows");
}

void paired_dots(const double* a, const double* b, std::size_t rows, const int* which, std::size_t count, double* out,
                 cudaStream_t stream) {
  if (count == 0) return;
  dot_kernel<<<static_cast<unsigned>(count), threads, 0, stream>>>(a, b, rows, which, out);
  launched("paired_dots");
}

void make_members(double* gram_to_covariance, const MemberInputs& inputs, std::size_t size, double* system,
                  cudaStream_t stream) {
  if (size == 0) return;
  members_kernel<<<dim3(blocks(size, threads), static_cast<unsigned>(size)), threads, 0, stream>>>(
      gram_to_covariance, inputs, size, system);
  launched("make_members");
  mirror_lower(gram_to_covariance, size, stream);
}

}  // namespace cavity::cuda
