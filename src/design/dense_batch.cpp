// Many models in one pass: a skinny matrix product, bound by single-precision arithmetic instead of memory. Samples go
// in blocks: scaled once into a buffer that the last-level cache holds, their products with all models, the reactions,
// then the block's outer products from the buffer. Every sum has one order, whatever the number of threads: samples are
// summed a block at a time, features by panel.
#include <algorithm>

#include "design/dense_design.hpp"
#include "kernels/batch_kernels.hpp"

namespace cavity {

namespace {

constexpr std::size_t block_rows = 128, group_rows = 16;  // samples
constexpr std::size_t panel = 1024;                       // features: a page of a sample's values
constexpr std::size_t row_step = panel + 16;              // in the buffer: not a power of two, which caches dislike
constexpr std::size_t longest_sum = 128;                  // in single precision; its weights fit the first-level cache

std::size_t pieces(std::size_t length, std::size_t piece) { return (length + piece - 1) / piece; }

}  // namespace

DenseDesign::SinglePrecision::SinglePrecision(const std::vector<double>& centres, const std::vector<double>& scales) {
  for (const double c : centres) {
    centre.push_back(static_cast<float>(c));
    centre_rest.push_back(static_cast<float>(c - static_cast<double>(centre.back())));
  }
  scale.assign(scales.begin(), scales.end());
}

// out[i*row_step + j] = x at sample first_sample + i, feature first_feature + j, in single precision.
void DenseDesign::scale_block(std::size_t first_sample, std::size_t rows, std::size_t first_feature, std::size_t width,
                              float* out) const {
  for (std::size_t i = 0; i < rows; ++i)
    kernels::scale_row(values_.values + (first_sample + i) * values_.stride + first_feature,
                       {&single_.centre[first_feature], &single_.centre_rest[first_feature],
                        &single_.scale[first_feature], static_cast<float>(row_scale_[first_sample + i])},
                       width, out + i * row_step);
}

void DenseDesign::sweep_many(std::span<const std::span<const double>> v, const BatchReaction& react,
                             std::span<const std::span<double>> out, Scratch& scratch, ThreadPool& pool) const {
  const std::size_t models = v.size(), n = features(), m = samples();
  check(out.size(), models, "outputs");
  for (const auto& weights : v) check(weights.size(), n, "weights");
  const std::size_t columns = pieces(models, kernels::column_group) * kernels::column_group, panels = pieces(n, panel);
  float* weights = scratch.floats(n * columns + block_rows * columns + block_rows * panels * row_step);
  float* reactions = weights + n * columns;
  float* block = reactions + block_rows * columns;
  double* sums = scratch.doubles(n * columns + 2 * block_rows * columns);
  double* products = sums + n * columns;
  double* answers = products + block_rows * columns;

  pool.run(panels, [&](std::size_t p) {
    const std::size_t first = p * panel, end = std::min(n, first + panel);
    std::fill(weights + first * columns, weights + end * columns, 0.0F);
    std::fill(sums + first * columns, sums + end * columns, 0.0);
    for (std::size_t k = 0; k < models; ++k)
      for (std::size_t l = first; l < end; ++l) weights[l * columns + k] = static_cast<float>(v[k][l]);
  });

  for (std::size_t start = 0; start < m; start += block_rows) {
    const std::size_t rows = std::min(block_rows, m - start);
    pool.run(pieces(rows, group_rows), [&](std::size_t g) {
      const std::size_t first = g * group_rows, count = std::min(group_rows, rows - first), at = first * columns;
      std::fill_n(products + at, count * columns, 0.0);
      std::fill_n(answers + at, count * columns, 0.0);  // the padding too
      for (std::size_t l = 0; l < n; l += panel) {
        const std::size_t width = std::min(panel, n - l);
        float* x = block + (l / panel * block_rows + first) * row_step;
        scale_block(start + first, count, l, width, x);
        for (std::size_t k = 0; k < width; k += longest_sum)
          kernels::multiply_add({x + k, row_step, 1}, count, std::min(longest_sum, width - k),
                                weights + (l + k) * columns, columns, products + at);
      }
      react({start + first, count, columns}, products + at, answers + at);
      std::copy_n(answers + at, count * columns, reactions + at);
    });
    pool.run(panels, [&](std::size_t p) {
      const std::size_t first = p * panel, width = std::min(panel, n - first);
      kernels::multiply_add({block + p * block_rows * row_step, 1, row_step}, width, rows, reactions, columns,
                            sums + first * columns);
    });
  }

  pool.run(panels, [&](std::size_t p) {
    const std::size_t end = std::min(n, (p + 1) * panel);
    for (std::size_t k = 0; k < models; ++k)
      for (std::size_t l = p * panel; l < end; ++l) out[k][l] = sums[l * columns + k];
  });
}

}  // namespace cavity
