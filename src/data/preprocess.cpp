#include "data/preprocess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "cavity/errors.hpp"
#include "data/column_moments.hpp"
#include "data/covariates.hpp"
#include "data/rows.hpp"
#include "data/transform.hpp"
#include "data/whiten.hpp"

namespace cavity::data {

namespace {

using Choice = PreprocessingOptions::Choice;

Transform transform_of(Choice choice, const FeatureMatrix& values, std::span<const double> impute,
                       std::vector<std::string>& notes) {
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
  const Transform chosen = choose_transform(measure_spread(values, impute), values.cols);
  if (chosen == Transform::rank) {
    notes.push_back(
        "transform: within-sample normal scores (values look like raw intensities; --transform none turns it off)");
  }
  return chosen;
}

std::string counted(std::size_t count, const std::string& one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

void note_missing(const std::vector<std::uint32_t>& missing, Prepared& out) {
  out.missing = std::accumulate(missing.begin(), missing.end(), std::size_t{0});
  const auto features = static_cast<std::size_t>(
      std::count_if(missing.begin(), missing.end(), [](std::uint32_t count) { return count > 0; }));
  if (out.missing == 0) return;
  out.notes.push_back(fmt::format("{} in {} replaced by the feature's mean", counted(out.missing, "missing value"),
                                  counted(features, "feature")));
}

/// Finds the kept features, fits their centre and scale, and moves their values together.
void keep_varying(const ColumnMoments& raw, const std::vector<std::string>& samples,
                  const PreprocessingOptions& options, Prepared& out, ThreadPool& pool) {
  Preprocessing& p = out.preprocessing;
  const bool changed = p.transform != Transform::none || out.missing > 0;
  const ColumnMoments fresh = changed ? column_moments(out.values, p.feature_names, samples, pool) : ColumnMoments{};
  const ColumnMoments& moments = changed ? fresh : raw;
  for (std::size_t l = 0; l < out.values.cols; ++l) {
    if (raw.constant[l] || moments.constant[l]) continue;
    p.kept.push_back(static_cast<std::uint32_t>(l));
    p.centre.push_back(options.centre ? moments.mean[l] : 0.0);
    p.scale.push_back(options.unit_variance ? 1 / moments.deviation[l] : 1.0);
  }
  out.constant = out.values.cols - p.kept.size();
  if (p.kept.empty()) {
    throw InputError(fmt::format(
        "no feature is left: {} in {}; a feature must differ between samples to tell them apart",
        out.constant == 1 ? "the only feature is constant" : fmt::format("all {} features are constant", out.constant),
        counted(out.values.rows, "sample")));
  }
  if (out.constant > 0) out.notes.push_back(counted(out.constant, "constant feature") + " dropped");
  keep_columns(out.values, p.kept);
}

/// The last steps, the same for old rows and new ones: whitening, then rows of length sqrt(inputs).
void finish_rows(const Preprocessing& p, Inputs& out, ThreadPool& pool) {
  if (p.directions > 0) {
    out.values = whiten(out.values, p, pool);
    out.centre.assign(p.directions, 0.0);
    out.scale.assign(p.directions, 1.0);
  } else {
    out.centre = p.centre;
    out.scale = p.scale;
  }
  out.row_scale = unit_row_scales(out.values, out.centre, out.scale, pool);
}

}  // namespace

Prepared prepare(Dataset&& data, const PreprocessingOptions& options, ThreadPool& pool) {
  Prepared out;
  Preprocessing& p = out.preprocessing;
  p.feature_names = std::move(data.feature_names);
  p.unit_variance = options.unit_variance;
  out.values = std::move(data.features);
  data.features = {};
  const ColumnMoments raw = column_moments(out.values, p.feature_names, data.sample_names, pool);
  note_missing(raw.missing, out);
  p.impute = raw.mean;
  p.transform = transform_of(options.transform, out.values, p.impute, out.notes);
  if (p.transform != Transform::none || out.missing > 0) transform_rows(out.values, p.impute, p.transform, pool);
  keep_varying(raw, data.sample_names, options, out, pool);
  if (options.whiten) {
    fit_whitening(out.values, p, pool);
    out.notes.push_back(fmt::format("whitened to {}", counted(p.directions, "principal direction")));
  }
  finish_rows(p, out, pool);
  EncodedCovariates covariates = encode_covariates(data.covariates, out.values.rows);
  p.covariates = std::move(covariates.encodings);
  out.covariates = std::move(covariates.values);
  out.notes.insert(out.notes.end(), covariates.notes.begin(), covariates.notes.end());
  data.covariates.clear();
  return out;
}

Applied apply(const Preprocessing& p, Dataset&& data, ThreadPool& pool) {
  Applied out;
  out.covariates = apply_covariates(p.covariates, data.covariates, data.samples());
  out.missing = match_rows(p, data, pool);
  if (out.missing > 0)
    out.notes.push_back(counted(out.missing, "missing value") + " replaced by the feature's training mean");
  out.values = std::move(data.features);
  data.features = {};
  finish_rows(p, out, pool);
  return out;
}

}  // namespace cavity::data
