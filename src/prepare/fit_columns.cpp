#include "prepare/fit_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "table/table.hpp"

namespace cavity {

std::vector<std::uint32_t> all_columns(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

ColumnMoments all_moments(const FeatureTable& features, ThreadPool& pool, const Shards& shards) {
  const Shards::Part own = shards.part(features.cols());
  ColumnMoments mine = features.table().moments(own.first, own.last, pool);
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

void reject_infinite(const ColumnMoments& moments, const FeatureTable& features, const std::vector<std::string>& names,
                     const std::vector<std::string>& samples) {
  for (std::uint32_t l = 0; l < moments.mean.size(); ++l) {
    if (std::isfinite(moments.mean[l])) continue;
    const FeatureMatrix column = features.table().dense({&l, 1});
    const auto found = std::find_if(column.values.begin(), column.values.end(), [](float x) { return std::isinf(x); });
    const auto i = static_cast<std::size_t>(found - column.values.begin());
    throw InputError(fmt::format("sample {}, feature {}: the value is infinite; leave it empty if it is unknown",
                                 i < samples.size() ? shown(samples[i]) : std::to_string(i + 1),
                                 l < names.size() ? shown(names[l]) : std::to_string(l + 1)));
  }
}

void filter_variants(const PreprocessingOptions& options, ColumnMoments& moments, Prepared& out) {
  if (!out.features.table().genotypes()) return;
  const auto samples = static_cast<double>(out.features.rows());
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

void note_missing(const std::vector<std::uint32_t>& missing, Prepared& out) {
  out.missing = std::accumulate(missing.begin(), missing.end(), std::size_t{0});
  const auto features = static_cast<std::size_t>(
      std::count_if(missing.begin(), missing.end(), [](std::uint32_t count) { return count > 0; }));
  if (out.missing == 0) return;
  out.notes.push_back(fmt::format("{} in {} replaced by the feature's mean", counted(out.missing, "missing value"),
                                  counted(features, "feature")));
}

void keep_varying(const ColumnMoments& raw, const ColumnMoments& moments, const PreprocessingOptions& options,
                  Prepared& out) {
  Preprocessing& p = out.preprocessing;
  const std::size_t features = raw.mean.size();
  for (std::size_t l = 0; l < features; ++l) {
    if (raw.constant[l] || moments.constant[l]) continue;
    p.kept.push_back(static_cast<std::uint32_t>(l));
    p.centre.push_back(options.centre ? moments.mean[l] : 0.0);
    p.scale.push_back(p.unit_variance ? 1 / moments.deviation[l] : 1.0);
  }
  out.constant = features - p.kept.size() - out.filtered;
  if (p.kept.empty()) {
    throw InputError(
        fmt::format("no feature is left: {} in {}; a feature must differ between samples to tell them apart",
                    out.filtered > 0    ? fmt::format("{} constant and {} filtered out", out.constant, out.filtered)
                    : out.constant == 1 ? "the only feature is constant"
                                        : fmt::format("all {} features are constant", out.constant),
                    counted(out.features.rows(), "sample")));
  }
  if (out.constant > 0) out.notes.push_back(counted(out.constant, "constant feature") + " dropped");
}

}  // namespace cavity
