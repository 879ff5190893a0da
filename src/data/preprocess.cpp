#include "data/preprocess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "cavity/errors.hpp"
#include "data/column_moments.hpp"
#include "data/compact_table.hpp"
#include "data/covariates.hpp"
#include "data/messages.hpp"
#include "data/rows.hpp"
#include "data/transform.hpp"
#include "data/whiten.hpp"
#include "design/dense_design.hpp"
#include "design/sharded_design.hpp"

namespace cavity::data {

namespace {

using Choice = PreprocessingOptions::Choice;

Transform transform_of(Choice choice, const FeatureMatrix& values, std::span<const double> impute,
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
  if (values.cols < fewest_ranked_features) return Transform::none;
  const Transform chosen = choose_transform(measure_spread(values, impute, pool), values.cols);
  if (chosen == Transform::rank) {
    notes.push_back(
        "transform: within-sample normal scores (values look like raw intensities; --transform none turns it off)");
  }
  return chosen;
}

/// A transform looks at whole samples, whitening mixes features: both need a dense matrix.
bool needs_dense(const PreprocessingOptions& options) {
  const bool transforms = options.transform == Choice::asinh || options.transform == Choice::rank;
  return transforms || options.whiten || !options.centre;
}

void note_missing(const std::vector<std::uint32_t>& missing, Prepared& out) {
  out.missing = std::accumulate(missing.begin(), missing.end(), std::size_t{0});
  const auto features = static_cast<std::size_t>(
      std::count_if(missing.begin(), missing.end(), [](std::uint32_t count) { return count > 0; }));
  if (out.missing == 0) return;
  out.notes.push_back(fmt::format("{} in {} replaced by the feature's mean", counted(out.missing, "missing value"),
                                  counted(features, "feature")));
}

/// Finds the kept features and fits their centre and scale.
void keep_varying(const ColumnMoments& raw, const ColumnMoments& moments, std::size_t samples,
                  const PreprocessingOptions& options, Prepared& out) {
  Preprocessing& p = out.preprocessing;
  const std::size_t features = raw.mean.size();
  for (std::size_t l = 0; l < features; ++l) {
    if (raw.constant[l] || moments.constant[l]) continue;
    p.kept.push_back(static_cast<std::uint32_t>(l));
    p.centre.push_back(options.centre ? moments.mean[l] : 0.0);
    p.scale.push_back(options.unit_variance ? 1 / moments.deviation[l] : 1.0);
  }
  out.constant = features - p.kept.size() - out.filtered;
  if (p.kept.empty()) {
    throw InputError(
        fmt::format("no feature is left: {} in {}; a feature must differ between samples to tell them apart",
                    out.filtered > 0    ? fmt::format("{} constant and {} filtered out", out.constant, out.filtered)
                    : out.constant == 1 ? "the only feature is constant"
                                        : fmt::format("all {} features are constant", out.constant),
                    counted(samples, "sample")));
  }
  if (out.constant > 0) out.notes.push_back(counted(out.constant, "constant feature") + " dropped");
}

/// The values of a dense table: imputed, transformed, the constant features out.
void prepare_values(const std::vector<std::string>& samples, const PreprocessingOptions& options, Prepared& out,
                    ThreadPool& pool) {
  Preprocessing& p = out.preprocessing;
  const ColumnMoments raw = column_moments(out.values, p.feature_names, samples, pool);
  note_missing(raw.missing, out);
  p.impute = raw.mean;
  p.transform = transform_of(options.transform, out.values, p.impute, out.notes, pool);
  const bool changed = p.transform != Transform::none || out.missing > 0;
  if (changed) transform_rows(out.values, p.impute, p.transform, pool);
  const ColumnMoments fresh = changed ? column_moments(out.values, p.feature_names, samples, pool) : ColumnMoments{};
  keep_varying(raw, changed ? fresh : raw, out.values.rows, options, out);
  keep_columns(out.values, p.kept);
}

ColumnMoments joined(ColumnMoments mine, const Shards& shards) {
  if (shards.alone()) return mine;
  const auto join = [&](auto& values) {
    const std::vector<double> all = shards.join(std::vector<double>(values.begin(), values.end()));
    values.assign(all.begin(), all.end());
  };
  join(mine.mean);
  join(mine.deviation);
  join(mine.missing);
  join(mine.constant);
  return mine;
}

/// Marks variants that are too rare or too incomplete as constant, so that they are left out like these.
void filter_variants(const PreprocessingOptions& options, ColumnMoments& moments, Prepared& out) {
  if (!out.compact->genotypes()) return;
  const auto samples = static_cast<double>(out.compact->samples());
  std::size_t incomplete = 0, rare = 0;
  for (std::size_t l = 0; l < moments.mean.size(); ++l) {
    if (moments.constant[l]) continue;
    const double frequency = 0.5 * moments.mean[l];
    const bool lacks = static_cast<double>(moments.missing[l]) > options.most_missing * samples;
    const bool is_rare = std::min(frequency, 1 - frequency) < options.least_frequency;
    incomplete += lacks;
    rare += !lacks && is_rare;
    if (lacks || is_rare) moments.constant[l] = 1;
    if (lacks || is_rare) moments.missing[l] = 0;  // nothing of it is filled
  }
  out.filtered = incomplete + rare;
  if (incomplete > 0)
    out.notes.push_back(fmt::format("{} left out: more than {:.4g} % of the calls are missing",
                                    counted(incomplete, "variant"), 100 * options.most_missing));
  if (rare > 0)
    out.notes.push_back(fmt::format("{} left out: the rarer allele has a frequency below {:.4g}",
                                    counted(rare, "variant"), options.least_frequency));
}

/// The same for a table in its own form, whose values nobody touches.
void prepare_compact(const PreprocessingOptions& options, Prepared& out, ThreadPool& pool, const Shards& shards) {
  Preprocessing& p = out.preprocessing;
  const Shards::Part own = shards.part(out.compact->features());
  ColumnMoments moments = joined(out.compact->moments(own.first, own.last, pool), shards);
  filter_variants(options, moments, out);
  note_missing(moments.missing, out);
  p.impute = moments.mean;
  // Values that stand at the mean: the deviation of all samples is smaller than that of the known ones.
  const auto rows = static_cast<double>(out.compact->samples());
  for (std::size_t l = 0; l < moments.deviation.size(); ++l)
    moments.deviation[l] *= std::sqrt(1 - static_cast<double>(moments.missing[l]) / rows);
  keep_varying(moments, moments, out.compact->samples(), options, out);
  out.columns = p.kept;
}

/// This process's inputs: [first, last). A table in its file's own form is dealt out by the file's columns, because a
/// process may have read no others.
Shards::Part own_inputs(const Inputs& inputs, const Shards& shards) {
  if (!inputs.compact) return shards.part(inputs.inputs());
  if (shards.alone()) return {0, inputs.inputs()};  // in the model's order, not the file's
  const Shards::Part file = shards.part(inputs.compact->features());
  const auto at = [&](std::size_t column) {
    const auto place = std::lower_bound(inputs.columns.begin(), inputs.columns.end(), column);
    return static_cast<std::size_t>(place - inputs.columns.begin());
  };
  return {at(file.first), at(file.last)};
}

ScaledColumns own_columns(const Inputs& inputs, const Shards::Part& own) {
  const auto cut = [&own](const auto& all) {
    return std::vector(all.begin() + static_cast<std::ptrdiff_t>(own.first),
                       all.begin() + static_cast<std::ptrdiff_t>(own.last));
  };
  return {inputs.compact ? cut(inputs.columns) : std::vector<std::uint32_t>(), cut(inputs.centre), cut(inputs.scale)};
}

/// The last steps, the same for old rows and new ones: whitening, then rows of length sqrt(inputs).
void finish_rows(const Preprocessing& p, Inputs& out, ThreadPool& pool, const Shards& shards = Shards::whole()) {
  if (p.directions > 0) {
    out.values = whiten(out.values, p, pool);
    out.centre.assign(p.directions, 0.0);
    out.scale.assign(p.directions, 1.0);
  } else {
    out.centre = p.centre;
    out.scale = p.scale;
  }
  if (!out.compact) {
    out.row_scale = unit_row_scales(out.values, out.centre, out.scale, pool);
    return;
  }
  out.row_scale = out.compact->row_squares(own_columns(out, own_inputs(out, shards)), pool, shards);
  for (double& square : out.row_scale)
    square = square > 0 ? std::sqrt(static_cast<double>(out.inputs()) / square) : 1.0;
}

std::size_t count_missing(const CompactTable& table, const std::vector<std::uint32_t>& columns, ThreadPool& pool) {
  const ColumnMoments moments = table.moments(0, table.features(), pool);
  std::size_t missing = 0;
  for (const std::uint32_t l : columns)
    if (l < moments.missing.size()) missing += moments.missing[l];
  return missing;
}

}  // namespace

void make_dense(Dataset& data) {
  if (!data.compact) return;
  std::vector<std::uint32_t> all(data.features.cols);
  std::iota(all.begin(), all.end(), 0U);
  data.features = data.compact->dense(all);
  data.compact.reset();
}

std::unique_ptr<const Design> make_design(const Inputs& inputs, const Shards& shards) {
  const Shards::Part own = own_inputs(inputs, shards);
  ScaledColumns columns = own_columns(inputs, own);
  std::unique_ptr<const Design> mine;
  if (own.count() > 0 && inputs.compact) {
    mine = inputs.compact->design(std::move(columns), inputs.row_scale);
  } else if (own.count() > 0) {
    FeatureView part = view(inputs.values);
    part.values += own.first;
    part.features = own.count();
    mine = std::make_unique<DenseDesign>(part, std::move(columns.centre), std::move(columns.scale), inputs.row_scale);
  }
  if (&shards == &Shards::whole()) return mine;
  return std::make_unique<ShardedDesign>(std::move(mine), inputs.samples(), inputs.inputs(), shards);
}

std::size_t feature_bytes(const Inputs& inputs, const Shards& shards) {
  const std::size_t own = own_inputs(inputs, shards).count();
  if (!inputs.compact) return inputs.samples() * own * sizeof(float);
  const double share = static_cast<double>(own) / static_cast<double>(inputs.compact->features());
  return static_cast<std::size_t>(share * static_cast<double>(inputs.compact->bytes()));
}

FeatureMatrix dense_values(const Inputs& inputs, const Shards& shards) {
  if (!inputs.compact) return inputs.values;
  const ScaledColumns columns = own_columns(inputs, own_inputs(inputs, shards));
  FeatureMatrix mine = inputs.compact->dense(columns.column);
  for (std::size_t i = 0; i < mine.rows; ++i)
    for (std::size_t l = 0; l < mine.cols; ++l)
      if (float& value = mine.row(i)[l]; std::isnan(value)) value = static_cast<float>(columns.centre[l]);
  if (shards.alone()) return mine;
  FeatureMatrix out(inputs.samples(), inputs.inputs());
  for (std::size_t i = 0; i < out.rows; ++i) {
    const float* row = mine.row(i);
    const std::vector<double> all = shards.join(std::vector<double>(row, row + mine.cols));
    std::copy(all.begin(), all.end(), out.row(i));
  }
  return out;
}

Prepared prepare(Dataset&& data, const PreprocessingOptions& options, ThreadPool& pool, const Shards& shards) {
  Prepared out;
  Preprocessing& p = out.preprocessing;
  p.feature_names = std::move(data.feature_names);
  p.unit_variance = options.unit_variance;
  const bool filters = options.least_frequency > 0 || options.most_missing < 1;
  if (filters && !(data.compact && data.compact->genotypes() && !needs_dense(options)))
    throw UsageError(
        "filters by allele frequency and missing calls are for genotypes (a PLINK fileset), untransformed");
  if (needs_dense(options)) make_dense(data);
  out.compact = std::move(data.compact);
  if (!out.compact) out.values = std::move(data.features);
  data.features = {};
  if (out.compact)
    prepare_compact(options, out, pool, shards);
  else
    prepare_values(data.sample_names, options, out, pool);
  if (options.whiten) {
    fit_whitening(out.values, p, pool);
    out.notes.push_back(fmt::format("whitened to {}", counted(p.directions, "principal direction")));
  }
  finish_rows(p, out, pool, shards);
  EncodedCovariates covariates = encode_covariates(data.covariates, out.samples());
  p.covariates = std::move(covariates.encodings);
  out.covariates = std::move(covariates.values);
  out.notes.insert(out.notes.end(), covariates.notes.begin(), covariates.notes.end());
  data.covariates.clear();
  return out;
}

Applied apply(const Preprocessing& p, Dataset&& data, ThreadPool& pool) {
  Applied out;
  out.covariates = apply_covariates(p.covariates, data.covariates, data.samples());
  if (p.transform != Transform::none || p.directions > 0) make_dense(data);
  if (data.compact) {
    out.columns = match_columns(p, data);
    out.missing = count_missing(*data.compact, out.columns, pool);
    out.compact = std::move(data.compact);
  } else {
    out.missing = match_rows(p, data, pool);
    out.values = std::move(data.features);
  }
  if (out.missing > 0)
    out.notes.push_back(counted(out.missing, "missing value") + " replaced by the feature's training mean");
  data.features = {};
  finish_rows(p, out, pool);
  return out;
}

}  // namespace cavity::data
