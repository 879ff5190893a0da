// Floors: the products read 8 bytes a stored value and touch one entry of a sample-long vector at random for each.
// Every sum has one order, whatever the number of threads: columns by ranges of fixed number, models by groups.
#include "design/sparse_design.hpp"

#include <algorithm>
#include <utility>

namespace cavity {

using kernels::models_at_once;

namespace {

constexpr std::size_t max_ranges = 8;         // of columns; each has its own sums over the samples
constexpr std::size_t smallest_range = 1024;  // columns

std::size_t range_count(std::size_t features) {
  return std::clamp<std::size_t>(features / smallest_range, 1, max_ranges);
}

}  // namespace

SparseDesign::SparseDesign(SparseView values, ScaledColumns columns, std::vector<double> row_scale,
                           std::shared_ptr<const void> keeper)
    : values_(values), columns_(std::move(columns)), row_scale_(std::move(row_scale)), keeper_(std::move(keeper)) {
  check(columns_.centre.size(), features(), "centres");
  check(columns_.scale.size(), features(), "scales");
  check(row_scale_.size(), samples(), "row scales");
}

SparseDesign::Entries SparseDesign::entries(std::size_t feature) const {
  const std::size_t column = columns_.column[feature];
  const std::uint64_t first = values_.start[column];
  return {values_.row + first, values_.value + first, static_cast<std::size_t>(values_.start[column + 1] - first)};
}

// The centres take a number that is the same for all samples: (x - c) = x - c and (x - c)^2 = x (x - 2c) + c^2. Sums of
// entries and of squares lie side by side: the second costs next to nothing beside the way to the first.
template <bool plain, bool squared>
void SparseDesign::add_columns(const TwoWeights& v, const TwoProducts& out, ThreadPool& pool) const {
  constexpr std::size_t width = plain && squared ? 2 : 1;
  const std::size_t ranges = range_count(features()), m = samples();
  std::vector<double> sums(ranges * m * width, 0), constants(ranges * width, 0);
  pool.run(ranges, [&](std::size_t range) {
    double *sum = sums.data() + range * m * width, *constant = constants.data() + range * width;
    for (std::size_t l = features() * range / ranges; l < features() * (range + 1) / ranges; ++l) {
      const double scale = columns_.scale[l], centre = columns_.centre[l];
      const double weight = plain ? scale * v.plain[l] : 0, square_weight = squared ? scale * scale * v.squared[l] : 0;
      if (weight == 0 && square_weight == 0) continue;
      if constexpr (plain) constant[0] -= centre * weight;
      if constexpr (squared) constant[width - 1] += centre * centre * square_weight;
      const Entries column = entries(l);
      for (std::size_t i = 0; i < column.count; ++i) {
        const auto x = static_cast<double>(column.value[i]);
        double* to = sum + column.row[i] * width;
        if constexpr (plain) to[0] += weight * x;
        if constexpr (squared) to[width - 1] += square_weight * x * (x - 2 * centre);
      }
    }
  });
  for (std::size_t mu = 0; mu < m; ++mu) {
    double total[width] = {};
    for (std::size_t range = 0; range < ranges; ++range)
      for (std::size_t k = 0; k < width; ++k)
        total[k] += sums[(range * m + mu) * width + k] + constants[range * width + k];
    if constexpr (plain) out.plain[mu] = row_scale_[mu] * total[0];
    if constexpr (squared) out.squared[mu] = row_scale_[mu] * row_scale_[mu] * total[width - 1];
  }
}

template <bool plain, bool squared>
void SparseDesign::dot_columns(const TwoWeights& u, const TwoProducts& out, ThreadPool& pool) const {
  constexpr std::size_t width = plain && squared ? 2 : 1;
  std::vector<double> scaled(samples() * width);
  double total[width] = {};
  for (std::size_t mu = 0; mu < samples(); ++mu) {
    const double r = row_scale_[mu];
    double* to = scaled.data() + mu * width;
    if constexpr (plain) total[0] += to[0] = r * u.plain[mu];
    if constexpr (squared) total[width - 1] += to[width - 1] = r * r * u.squared[mu];
  }
  constexpr std::size_t block = 256;  // columns
  pool.run((features() + block - 1) / block, [&](std::size_t b) {
    for (std::size_t l = b * block; l < std::min(features(), (b + 1) * block); ++l) {
      const Entries column = entries(l);
      const double scale = columns_.scale[l], centre = columns_.centre[l];
      double sum = -centre * total[0], square_sum = centre * centre * total[width - 1];
      for (std::size_t i = 0; i < column.count; ++i) {
        const auto x = static_cast<double>(column.value[i]);
        const double* from = scaled.data() + column.row[i] * width;
        if constexpr (plain) sum += x * from[0];
        if constexpr (squared) square_sum += x * (x - 2 * centre) * from[width - 1];
      }
      if constexpr (plain) out.plain[l] = scale * sum;
      if constexpr (squared) out.squared[l] = scale * scale * square_sum;
    }
  });
}

void SparseDesign::do_times(std::span<const double> v, std::span<double> out, Precision, ThreadPool& pool) const {
  add_columns<true, false>({v, {}}, {out, {}}, pool);
}

void SparseDesign::do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const {
  add_columns<false, true>({{}, v}, {{}, out}, pool);
}

void SparseDesign::do_times_both(const TwoWeights& v, const TwoProducts& out, Precision, ThreadPool& pool) const {
  add_columns<true, true>(v, out, pool);
}

void SparseDesign::do_transpose_times(std::span<const double> u, std::span<double> out, Precision,
                                      ThreadPool& pool) const {
  dot_columns<true, false>({u, {}}, {out, {}}, pool);
}

void SparseDesign::do_squared_transpose_times(std::span<const double> u, std::span<double> out,
                                              ThreadPool& pool) const {
  dot_columns<false, true>({{}, u}, {{}, out}, pool);
}

void SparseDesign::do_transpose_times_both(const TwoWeights& u, const TwoProducts& out, Precision,
                                           ThreadPool& pool) const {
  dot_columns<true, true>(u, out, pool);
}

void SparseDesign::sweep_many(std::span<const std::span<const double>> v, const BatchReaction& react,
                              std::span<const std::span<double>> out, Scratch& scratch, ThreadPool& pool) const {
  const std::size_t m = samples(), n = features(), models = v.size();
  check(out.size(), models, "outputs");
  const std::size_t groups = (models + models_at_once - 1) / models_at_once, width = groups * models_at_once;
  double* weights = scratch.doubles((n * groups + 3 * m * groups) * models_at_once);  // then the transposed products
  double* products = weights + n * width;                                             // a group's after another's
  double* by_sample = products + m * width;
  double* reactions = by_sample + m * width;
  const auto group_models = [&](std::size_t g) { return std::min(models_at_once, models - g * models_at_once); };

  pool.run(groups, [&](std::size_t g) {
    double* mine = weights + g * n * models_at_once;
    double* sums = products + g * m * models_at_once;
    double shift[models_at_once] = {};
    std::fill_n(mine, n * models_at_once, 0.0);
    std::fill_n(sums, m * models_at_once, 0.0);
    for (std::size_t k = 0; k < group_models(g); ++k) {
      const auto& from = v[g * models_at_once + k];
      check(from.size(), n, "weights");
      for (std::size_t l = 0; l < n; ++l) {
        mine[l * models_at_once + k] = columns_.scale[l] * from[l];
        shift[k] += columns_.centre[l] * mine[l * models_at_once + k];
      }
    }
    kernels::scatter_columns(kernel_view(), 0, n, mine, sums);
    for (std::size_t mu = 0; mu < m; ++mu)
      for (std::size_t k = 0; k < models_at_once; ++k)
        by_sample[mu * width + g * models_at_once + k] = row_scale_[mu] * (sums[mu * models_at_once + k] - shift[k]);
  });

  constexpr std::size_t block = 256;  // samples
  pool.run((m + block - 1) / block, [&](std::size_t b) {
    const std::size_t first = b * block, at = first * width;
    react({first, std::min(block, m - first), width}, by_sample + at, reactions + at);
  });

  pool.run(groups, [&](std::size_t g) {
    double* mine = weights + g * n * models_at_once;
    double* scaled = products + g * m * models_at_once;
    double total[models_at_once] = {};
    const std::size_t count = group_models(g);
    std::fill_n(scaled, m * models_at_once, 0.0);
    for (std::size_t mu = 0; mu < m; ++mu)
      for (std::size_t k = 0; k < count; ++k)
        total[k] += scaled[mu * models_at_once + k] = row_scale_[mu] * reactions[mu * width + g * models_at_once + k];
    kernels::gather_columns(kernel_view(), 0, n, scaled, mine);
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t l = 0; l < n; ++l)
        out[g * models_at_once + k][l] =
            columns_.scale[l] * (mine[l * models_at_once + k] - columns_.centre[l] * total[k]);
  });
}

// With t' = t s^2:  X diag(t) X^T = r r^T * (V t' V^T - a 1^T - 1 a^T + b),  a = V t' c,  b = sum t' c^2.
// A thread fills some rows of the lower triangle, from all columns in order.
void SparseDesign::do_gram(std::span<const double> t, Matrix& out, Precision, ThreadPool& pool) const {
  const auto m = static_cast<Eigen::Index>(samples());
  out.setZero(m, m);
  std::vector<double> weight(features()), a(samples(), 0);
  double b = 0;
  for (std::size_t l = 0; l < features(); ++l) {
    weight[l] = t[l] * columns_.scale[l] * columns_.scale[l];
    b += weight[l] * columns_.centre[l] * columns_.centre[l];
    const Entries column = entries(l);
    for (std::size_t i = 0; i < column.count; ++i)
      a[column.row[i]] += weight[l] * columns_.centre[l] * static_cast<double>(column.value[i]);
  }
  const std::size_t stripes = std::clamp<std::size_t>(samples() / 64, 1, 16);
  pool.run(stripes, [&](std::size_t stripe) {
    const auto first = static_cast<std::uint32_t>(samples() * stripe / stripes),
               end = static_cast<std::uint32_t>(samples() * (stripe + 1) / stripes);
    for (std::size_t l = 0; l < features(); ++l) {
      const Entries column = entries(l);
      const auto* begin = std::lower_bound(column.row, column.row + column.count, first);
      for (auto i = static_cast<std::size_t>(begin - column.row); i < column.count && column.row[i] < end; ++i) {
        double* row = out.data() + std::size_t{column.row[i]} * samples();
        const double left = weight[l] * static_cast<double>(column.value[i]);
        for (std::size_t j = 0; j <= i; ++j) row[column.row[j]] += left * static_cast<double>(column.value[j]);
      }
    }
  });
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const auto p = static_cast<std::size_t>(i), q = static_cast<std::size_t>(j);
      out(i, j) = out(j, i) = row_scale_[p] * row_scale_[q] * (out(i, j) - a[p] - a[q] + b);
    }
}

// With W' = diag(r) W diag(r):  x_l^T W x_l = s^2 (v^T W' v - 2 c v^T (W' 1) + c^2 1^T W' 1).
void SparseDesign::do_quadratic(const Matrix& w, std::span<double> out, Precision, ThreadPool& pool) const {
  const Eigen::Map<const Eigen::VectorXd> r(row_scale_.data(), w.rows());
  Matrix scaled = w.selfadjointView<Eigen::Lower>();
  scaled = r.asDiagonal() * scaled * r.asDiagonal();
  const Eigen::VectorXd sums = scaled.rowwise().sum();
  const double total = sums.sum();
  const std::size_t ranges = range_count(features());
  pool.run(ranges, [&](std::size_t range) {
    for (std::size_t l = features() * range / ranges; l < features() * (range + 1) / ranges; ++l) {
      const Entries column = entries(l);
      double square = 0, cross = 0;
      for (std::size_t i = 0; i < column.count; ++i) {
        const double* row = scaled.data() + std::size_t{column.row[i]} * samples();
        const auto own = static_cast<double>(column.value[i]);
        double off_diagonal = 0;
        for (std::size_t j = 0; j < i; ++j) off_diagonal += row[column.row[j]] * static_cast<double>(column.value[j]);
        square += own * (2 * off_diagonal + row[column.row[i]] * own);
        cross += own * sums[column.row[i]];
      }
      const double c = columns_.centre[l];
      out[l] = columns_.scale[l] * columns_.scale[l] * (square - 2 * c * cross + c * c * total);
    }
  });
}

// Columns of a line of `out` at a time: it is stored by rows.
void SparseDesign::columns(std::span<const std::size_t> which, Matrix& out) const {
  constexpr std::size_t at_once = 8;
  out.resize(static_cast<Eigen::Index>(samples()), static_cast<Eigen::Index>(which.size()));
  for (std::size_t first = 0; first < which.size(); first += at_once) {
    const std::span<const std::size_t> some = which.subspan(first, std::min(at_once, which.size() - first));
    auto block = out.middleCols(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(some.size()));
    Eigen::RowVectorXd centre(block.cols()), scale(block.cols());
    for (std::size_t j = 0; j < some.size(); ++j) {
      centre[static_cast<Eigen::Index>(j)] = columns_.centre[some[j]];
      scale[static_cast<Eigen::Index>(j)] = columns_.scale[some[j]];
    }
    block.rowwise() = -centre;
    for (std::size_t j = 0; j < some.size(); ++j) {
      const Entries values = entries(some[j]);
      for (std::size_t i = 0; i < values.count; ++i)
        block(values.row[i], static_cast<Eigen::Index>(j)) += static_cast<double>(values.value[i]);
    }
    for (Eigen::Index mu = 0; mu < block.rows(); ++mu)
      block.row(mu).array() *= row_scale_[static_cast<std::size_t>(mu)] * scale.array();
  }
}

}  // namespace cavity
