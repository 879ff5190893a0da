#include "fit/panel_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "fit/panel_choice.hpp"
#include "fit/panel_table.hpp"
#include "prepare/fit_columns.hpp"
#include "prepare/log_counts.hpp"
#include "prepare/row_blocks.hpp"
#include "table/table.hpp"

namespace cavity {

namespace {

using Choice = PreprocessingOptions::Choice;

void check_reference(const Dataset& data, const PanelOptions& options) {
  const Choice transform = options.fit.preprocessing.transform;
  if (transform != Choice::automatic && transform != Choice::none && transform != Choice::log1p)
    throw UsageError(
        fmt::format("`normalise` takes differences of the values or of their logarithms: `value_transform={}` "
                    "cannot stand beside it",
                    to_string(transform)));
  if (data.features.table().genotypes()) throw UsageError("`normalise` is for measurements, not for genotypes");
  for (const std::string& name : options.normalise)
    if (std::ranges::find(options.must, name) != options.must.end())
      throw UsageError(fmt::format("feature {} stands in `normalise` and in `must`", shown(name)));
}

/// Where the panels of the values as they are would take logarithms.
bool takes_logarithms(const Dataset& data, const PreprocessingOptions& options, ThreadPool& pool) {
  return panel_preprocessing(data, options, pool).transform == Choice::log1p ||
         (options.transform == Choice::automatic && holds_counts(data.features, Shards::whole()));
}

void take_off(FeatureMatrix& values, const PanelReference& reference, ThreadPool& pool) {
  values.own();
  const auto count = static_cast<double>(reference.features.size());
  pool.run(row_blocks(values.rows), [&](std::size_t block) {
    for_rows(block, values.rows, [&](std::size_t mu) {
      float* row = values.row(mu);
      for (std::size_t l = 0; l < values.cols; ++l)
        if (std::isnan(row[l])) row[l] = static_cast<float>(reference.mean[l]);
      double level = 0;
      for (const std::uint32_t l : reference.features) level += row[l] / count;
      for (std::size_t l = 0; l < values.cols; ++l) row[l] = static_cast<float>(row[l] - level);
    });
  });
}

}  // namespace

PanelReference take_reference(Dataset& data, PanelOptions& options, ThreadPool& pool) {
  PanelReference out;
  if (options.normalise.empty()) return out;
  check_reference(data, options);
  out.features = FeaturePlaces(data.feature_names).of(options.normalise, "normalise");
  std::ranges::sort(out.features);
  out.features.erase(std::unique(out.features.begin(), out.features.end()), out.features.end());
  if (takes_logarithms(data, options.fit.preprocessing, pool)) out.transform = Transform::log1p;
  data.features.make_dense();
  if (out.transform == Transform::log1p) take_logs(data.features, data.feature_names, data.sample_names);
  const ColumnMoments moments = data.features.table().moments(0, data.features.cols(), pool);
  reject_infinite(moments, data.features, data.feature_names, data.sample_names);
  out.mean = moments.mean;
  for (const std::uint32_t l : out.features)
    if (moments.missing[l] == data.samples())
      throw InputError(
          fmt::format("feature {} of `normalise` has no value in any sample", shown(data.feature_names[l])));
  take_off(data.features.dense(), out, pool);
  options.fit.preprocessing.transform = Choice::none;
  options.never.insert(options.never.end(), options.normalise.begin(), options.normalise.end());
  return out;
}

}  // namespace cavity
