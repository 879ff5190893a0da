#include "prepare/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "assess/one_kind.hpp"
#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "prepare/block_parts.hpp"
#include "prepare/covariates.hpp"
#include "prepare/feature_asinh.hpp"
#include "prepare/fit_columns.hpp"
#include "prepare/log_counts.hpp"
#include "prepare/match_features.hpp"
#include "prepare/rewrite_rows.hpp"
#include "prepare/scale_rows.hpp"
#include "prepare/transform.hpp"
#include "prepare/whiten.hpp"
#include "table/table.hpp"

namespace cavity {

namespace {

using Choice = PreprocessingOptions::Choice;

/// Logarithms of counts come before anything else is looked at.
bool takes_logs(Choice choice, Prepared& out, const std::vector<std::string>& samples, const Shards& shards) {
  const bool found = choice == Choice::automatic && holds_counts(out.features, shards);
  if (choice != Choice::log1p && !found) return false;
  take_logs(out.features, out.preprocessing.feature_names, samples);
  out.notes.push_back(found ? "transform: ln(1 + count) (the values are counts; `value_transform=none` turns it off)"
                            : "transform: ln(1 + value)");
  return true;
}

Transform transform_of(Choice choice, const FeatureTable& features, std::span<const double> impute,
                       std::vector<std::string>& notes, ThreadPool& pool) {
  if (choice == Choice::none) return Transform::none;
  if (choice == Choice::asinh) {
    notes.push_back("transform: asinh of the values, centred and scaled within each sample");
    return Transform::asinh;
  }
  if (choice == Choice::rank) {
    notes.push_back("transform: within-sample normal scores");
    return Transform::rank;
  }
  if (choice == Choice::feature_asinh) {
    notes.push_back("transform: asinh of the values, centred and scaled by each feature's median and spread");
    return Transform::feature_asinh;
  }
  if (!features.is_dense() || features.cols() < fewest_of_one_kind) return Transform::none;
  const Transform chosen = choose_transform(measure_spread(features.dense(), impute, pool), features.cols());
  if (chosen == Transform::rank) {
    notes.push_back(
        "transform: within-sample normal scores (the values of a sample are heavy-tailed; `value_transform=none` turns "
        "it off)");
  }
  return chosen;
}

/// A transform looks at whole samples or moves zeros, whitening mixes features: all need a dense matrix.
bool needs_dense(const PreprocessingOptions& options) {
  const bool transforms = options.transform == Choice::asinh || options.transform == Choice::rank ||
                          options.transform == Choice::feature_asinh;
  return transforms || options.whiten || !options.centre;
}

void check_filters(const PreprocessingOptions& options, const FeatureTable& features) {
  const bool filters = options.least_frequency > 0 || options.most_missing < 1;
  if (filters && !(features.table().genotypes() && !needs_dense(options)))
    throw UsageError(
        "filters by allele frequency and missing calls are for genotypes (a PLINK fileset), untransformed");
}

/// The moments after missing values have taken the mean: the deviation of all samples is smaller than that of the known
/// ones.
ColumnMoments filled_moments(ColumnMoments moments, std::size_t samples) {
  for (std::size_t l = 0; l < moments.deviation.size(); ++l)
    moments.deviation[l] *= std::sqrt(1 - static_cast<double>(moments.missing[l]) / static_cast<double>(samples));
  return moments;
}

/// Fits what is done to the features, and does it where the values have to be written: those of a dense table are
/// imputed, transformed, and without the constant features; any other table stays as it is.
void prepare_features(const std::vector<std::string>& samples, const PreprocessingOptions& options, Prepared& out,
                      ThreadPool& pool, const Shards& shards) {
  Preprocessing& p = out.preprocessing;
  const bool logs = takes_logs(options.transform, out, samples, shards);
  ColumnMoments raw = all_moments(out.features, pool, shards);
  reject_infinite(raw, out.features, p.feature_names, samples);
  filter_variants(options, raw, out);
  note_missing(raw.missing, out);
  p.impute = raw.mean;
  p.transform = logs ? Transform::log1p : transform_of(options.transform, out.features, p.impute, out.notes, pool);
  const bool by_feature = p.transform == Transform::feature_asinh;
  const bool rewritten = out.features.is_dense() && (looks_at_samples(p.transform) || by_feature || out.missing > 0);
  if (rewritten) transform_rows(out.features.dense(), p.impute, p.transform, pool);
  FeatureAsinh asinh;
  if (by_feature) asinh = fit_feature_asinh(std::as_const(out.features).dense(), pool);
  if (by_feature) take_feature_asinh(asinh, out.features.dense(), pool);
  const ColumnMoments now =
      rewritten ? all_moments(out.features, pool, shards) : filled_moments(raw, out.features.rows());
  keep_varying(raw, now, options, out);
  for (const std::uint32_t l : p.kept) {
    if (!by_feature) break;
    p.median.push_back(asinh.median[l]);
    p.spread.push_back(asinh.spread[l]);
  }
  if (out.features.is_dense()) keep_columns(out.features, p.kept);
}

/// The last steps, the same for old rows and new ones, whose kept features stand in the columns `columns` of the table:
/// whitening, or the columns as they are.
void finish_columns(const Preprocessing& p, std::vector<std::uint32_t> columns, Inputs& out, ThreadPool& pool) {
  out.columns = {std::move(columns), p.centre, p.scale};
  if (p.directions > 0) {
    out.features = whiten(std::as_const(out.features).dense(), p, pool);
    out.columns = {all_columns(p.directions), std::vector<double>(p.directions, 0.0),
                   std::vector<double>(p.directions, 1.0)};
  }
}

/// From the columns of a file to the kept features, transformed.
MatchedColumns match_table(const Preprocessing& p, Dataset& data, const std::vector<bool>& ranked_later,
                           ThreadPool& pool) {
  const bool by_feature = p.transform == Transform::feature_asinh;
  if (looks_at_samples(p.transform) || by_feature || p.directions > 0) data.features.make_dense();
  if (p.transform == Transform::log1p) take_logs(data.features, data.feature_names, data.sample_names);
  MatchedColumns out = match_features(p, data, ranked_later, pool);
  if (by_feature) take_feature_asinh({p.median, p.spread}, data.features.dense(), pool);
  return out;
}

/// The same block by block.
MatchedColumns match_blocks(const Preprocessing& p, Dataset& data, ThreadPool& pool) {
  data.features.make_dense();
  FeatureMatrix values(data.features.rows(), p.kept.size());
  MatchedColumns out{all_columns(p.kept.size()), 0};
  std::size_t first = 0;
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    const Preprocessing own = preparation_of_block(p, b);
    if (own.kept.empty()) continue;
    Dataset part = features_of_block(own, data);
    out.missing += match_table(own, part, {}, pool).missing;
    const FeatureMatrix& block = std::as_const(part.features).dense();
    for (std::size_t i = 0; i < block.rows; ++i) std::copy_n(block.row(i), block.cols, values.row(i) + first);
    first += block.cols;
  }
  data.features = std::move(values);
  return out;
}

}  // namespace

Prepared prepare(Dataset&& data, const PreprocessingOptions& options, ThreadPool& pool, const Shards& shards) {
  Prepared out;
  Preprocessing& p = out.preprocessing;
  p.feature_names = std::move(data.feature_names);
  p.unit_variance = options.unit_variance.value_or(!data.features.table().sparse() || needs_dense(options));
  const bool equal_rows = options.equal_rows.value_or(data.features.table().sparse());
  check_filters(options, data.features);
  out.features = std::exchange(data.features, {});
  if (needs_dense(options)) out.features.make_dense();
  prepare_features(data.sample_names, options, out, pool, shards);
  if (options.whiten) {
    fit_whitening(std::as_const(out.features).dense(), p, pool);
    out.notes.push_back(fmt::format("whitened to {}", counted(p.directions, "principal direction")));
  }
  finish_columns(p, out.features.is_dense() ? all_columns(p.kept.size()) : p.kept, out, pool);
  scale_rows(equal_rows, out, pool, shards);
  EncodedCovariates covariates = encode_covariates(data.covariates, out.samples());
  p.covariates = std::move(covariates.encodings);
  out.covariates = std::move(covariates.values);
  out.notes.insert(out.notes.end(), covariates.notes.begin(), covariates.notes.end());
  data.covariates.clear();
  return out;
}

Applied apply(const Preprocessing& p, Dataset&& data, ThreadPool& pool, const std::vector<bool>& ranked_later) {
  Applied out;
  out.covariates = apply_covariates(p.covariates, data.covariates, data.samples());
  MatchedColumns matched = p.blocks.empty() ? match_table(p, data, ranked_later, pool) : match_blocks(p, data, pool);
  out.missing = matched.missing;
  if (out.missing > 0)
    out.notes.push_back(counted(out.missing, "missing value") + " replaced by the feature's training mean");
  out.features = std::exchange(data.features, {});
  finish_columns(p, std::move(matched.column), out, pool);
  out.row_scale = scales_of_rows(p, out, pool);
  return out;
}

}  // namespace cavity
