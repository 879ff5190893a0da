#include "fit/drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "design/dense_design.hpp"
#include "fit/absent_features.hpp"
#include "fit/partial_samples.hpp"
#include "kernels/matrix_product.hpp"
#include "kernels/positive_definite.hpp"
#include "prepare/make_design.hpp"
#include "prepare/match_names.hpp"

namespace cavity {

namespace {

using Vector = Eigen::VectorXd;

constexpr double next_to_nothing = 1e-6, much_more = 100;  // c and b, in units of the gram matrix's mean diagonal
constexpr std::size_t most_named = 5;                      // features

std::vector<std::size_t> columns_there(std::size_t features, const std::vector<std::uint32_t>& absent) {
  std::vector<std::size_t> out;
  for (std::uint32_t l = 0; l < features; ++l)
    if (!std::ranges::binary_search(absent, l)) out.push_back(l);
  return out;
}

std::vector<double> squares_over(const Design& rows, const std::vector<std::size_t>& there, ThreadPool& pool) {
  std::vector<double> known(rows.features(), 0), out(rows.samples());
  for (const std::size_t l : there) known[l] = 1;
  rows.squared_times(known, out, pool);
  return out;
}

Matrix product(const Matrix& a, const Matrix& b, ThreadPool& pool) {
  Matrix out = Matrix::Zero(a.rows(), b.cols());
  add_product(1, a, b, out, pool);
  return out;
}

double share_of(double rest, double whole) { return whole > 0 ? std::clamp(rest / whole, 0.0, 1.0) : 0; }

void measure_outside(const Design& training, const Design& fresh, const std::vector<std::size_t>& there, Drift& out,
                     ThreadPool& pool) {
  const Matrix gram = products_over(training, training, there, pool);
  const auto m = gram.rows();
  const double size = gram.trace() / static_cast<double>(m);
  if (!(size > 0) || m < 3) return;
  const double b = much_more * size;
  Matrix inverse = gram;
  inverse.array() += b;
  inverse.diagonal().array() += next_to_nothing * size;
  if (!invert_positive_definite(inverse, pool)) return;
  const Matrix half = product(inverse, gram, pool), forms = product(half, inverse, pool);
  const double others = static_cast<double>(m) / static_cast<double>(m - 1);  // from the mean of the others
  for (Eigen::Index mu = 0; mu < m; ++mu) {
    const double rest = forms(mu, mu) / (inverse(mu, mu) * inverse(mu, mu));
    const double share = share_of(rest, gram(mu, mu) * others * others);
    out.training_outside += share / static_cast<double>(m);
    out.outside_limit = std::max(out.outside_limit, share);
  }
  const Matrix k = products_over(fresh, training, there, pool);
  const Matrix a = product(k.array() + b, inverse, pool), ag = product(a, gram, pool);
  const std::vector<double> squares = squares_over(fresh, there, pool);
  for (Eigen::Index i = 0; i < k.rows(); ++i) {
    const double whole = squares[static_cast<std::size_t>(i)];
    out.sample_outside.push_back(share_of(whole - 2 * a.row(i).dot(k.row(i)) + a.row(i).dot(ag.row(i)), whole));
    out.outside += out.sample_outside.back() / static_cast<double>(k.rows());
  }
  for (std::size_t i = 0; i < out.sample_outside.size(); ++i)
    if (out.sample_outside[i] > out.outside_limit) out.outliers.push_back(i);
  std::ranges::stable_sort(out.outliers, std::greater<>(), [&](std::size_t i) { return out.sample_outside[i]; });
}

/// Mean of every feature, and of its square, with rows as they are before they are scaled.
std::vector<double> feature_means(const Design& rows, const std::vector<double>& row_scale, ThreadPool& pool) {
  std::vector<double> u, out(rows.features());
  for (const double r : row_scale) u.push_back(1 / (r * static_cast<double>(row_scale.size())));
  rows.transpose_times(u, out, pool);
  return out;
}

std::vector<double> feature_squares(const Design& rows, const std::vector<double>& row_scale, ThreadPool& pool) {
  std::vector<double> u, out(rows.features());
  for (const double r : row_scale) u.push_back(1 / (r * r * static_cast<double>(row_scale.size())));
  rows.squared_transpose_times(u, out, pool);
  return out;
}

void measure_shift(const Model& model, const DenseDesign& training, const Design& fresh,
                   const std::vector<double>& row_scale, const std::vector<std::size_t>& there, Drift& out,
                   ThreadPool& pool) {
  const std::vector<double> now = feature_means(fresh, row_scale, pool),
                            then = feature_means(training, training.row_scale(), pool),
                            squares = feature_squares(training, training.row_scale(), pool);
  std::vector<FeatureShift> shifts;
  double sum = 0;
  for (const std::size_t l : there) {
    const double variance = squares[l] - then[l] * then[l];
    if (!(variance > 0)) continue;
    shifts.push_back(
        {model.preprocessing.feature_names[model.preprocessing.kept[l]], (now[l] - then[l]) / std::sqrt(variance)});
    sum += shifts.back().deviations * shifts.back().deviations;
  }
  if (shifts.empty()) return;
  out.typical_shift = std::sqrt(sum / static_cast<double>(shifts.size()));
  out.expected_shift =
      std::sqrt(1 / static_cast<double>(fresh.samples()) + 1 / static_cast<double>(training.samples()));
  const std::size_t named = std::min(most_named, shifts.size());
  std::partial_sort(
      shifts.begin(), shifts.begin() + static_cast<std::ptrdiff_t>(named), shifts.end(),
      [](const FeatureShift& a, const FeatureShift& b) { return std::abs(a.deviations) > std::abs(b.deviations); });
  shifts.resize(named);
  out.worst = std::move(shifts);
}

struct Spread {
  double mean = 0, deviation = 0;
};

/// Of two classes the log odds of the second, of more those of the likeliest.
Spread field_spread(std::span<const double> probability, std::size_t classes) {
  std::vector<double> fields;
  for (std::size_t i = 0; i < probability.size(); i += classes) {
    const auto row = probability.subspan(i, classes);
    const double p = std::clamp(classes == 2 ? row[1] : *std::max_element(row.begin(), row.end()), 1e-12, 1 - 1e-12);
    fields.push_back(std::log(p / (1 - p)));
  }
  Spread out;
  for (const double f : fields) out.mean += f / static_cast<double>(fields.size());
  for (const double f : fields) out.deviation += (f - out.mean) * (f - out.mean) / static_cast<double>(fields.size());
  out.deviation = std::sqrt(out.deviation);
  return out;
}

}  // namespace

std::optional<Drift> measure_drift(const Model& model, Dataset data, const PredictOptions& options, ThreadPool& pool) {
  const Preprocessing& p = model.preprocessing;
  if (model.training.values.rows == 0 || p.directions > 0 || data.samples() == 0) return std::nullopt;
  match_names(p, data.feature_names, options.match);
  const MissingInputs missing = find_missing(model, data, options.fill_means, pool);
  const std::vector<std::size_t> there = columns_there(p.inputs(), missing.absent);
  std::optional<PartialSamples> partial;
  std::vector<bool> ranked_later;
  if (!missing.none()) ranked_later = partial.emplace(model, missing, data.samples(), pool).ranked_later();
  Inputs inputs = apply(p, std::move(data), pool, ranked_later);
  if (partial) partial->complete(inputs, pool);
  const DenseDesign training(view(model.training.values), p.centre, p.scale, model.training.row_scale);
  const auto fresh = make_design(inputs);
  Drift out;
  measure_outside(training, *fresh, there, out, pool);
  measure_shift(model, training, *fresh, inputs.row_scale, there, out, pool);
  return out;
}

void compare_fields(std::span<const double> stated, std::span<const double> left_out, std::size_t classes, Drift& out) {
  out.field_shift = out.field_spread = std::numeric_limits<double>::quiet_NaN();
  if (stated.empty() || left_out.empty()) return;
  const Spread now = field_spread(stated, classes), then = field_spread(left_out, classes);
  if (!(then.deviation > 0)) return;
  out.field_shift = (now.mean - then.mean) / then.deviation;
  out.field_spread = now.deviation / then.deviation;
}

}  // namespace cavity
