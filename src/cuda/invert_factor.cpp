// (A 0; B C)^-1 = (A^-1 0; -C^-1 B A^-1 C^-1), from blocks of 32 on the diagonal upwards: all pairs of a size at once.
// About 2/3 size^3 multiply-adds, half of them with zeros.
#include "cuda/invert_factor.hpp"

#include <algorithm>

#include "cuda/device_array.hpp"
#include "cuda/kernels/matrix_work.hpp"

namespace cavity::cuda {

namespace {

/// `count` pairs from `first` on, of blocks of `block` and `rest` rows, which are inverted: B of each.
struct Pairs {
  std::size_t first, count, block, rest;
};
void join_pairs(const Libraries& libraries, const Pairs& pairs, std::size_t size, double* values, double* work) {
  const auto at = [&](std::size_t row, std::size_t column) { return values + column * size + row; };
  const std::size_t low = pairs.first + pairs.block;
  const auto stride = static_cast<std::int64_t>((pairs.block + pairs.rest) * (size + 1));
  const auto stride_work = static_cast<std::int64_t>(pairs.block * pairs.rest);
  const int n = static_cast<int>(size), count = static_cast<int>(pairs.count), block = static_cast<int>(pairs.block),
            rest = static_cast<int>(pairs.rest);
  libraries.multiply_many({count, stride, stride, stride_work}, {rest, block, block}, 1, {at(low, pairs.first), n},
                          {at(pairs.first, pairs.first), n}, {work, rest});
  libraries.multiply_many({count, stride, stride_work, stride}, {rest, block, rest}, -1, {at(low, low), n},
                          {work, rest}, {at(low, pairs.first), n});
}

}  // namespace

void invert_factor(const Device& device, std::size_t size, double* values) {
  invert_diagonal_blocks(values, size, device.stream());
  DeviceArray<double> work(size * (size + 1) / 4 + size, device.stream());
  for (std::size_t block = inverse_block; block < size; block *= 2) {
    const std::size_t whole = size / (2 * block), left = size - whole * 2 * block;
    if (whole > 0) join_pairs(device.libraries(), {0, whole, block, block}, size, values, work.data());
    if (left > block)
      join_pairs(device.libraries(), {whole * 2 * block, 1, block, left - block}, size, values, work.data());
  }
}

}  // namespace cavity::cuda
