// Which inputs new samples lack (fit/partial_samples.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "fit/partial_samples.hpp"
#include "prepare/match_features.hpp"
#include "table/table.hpp"

namespace cavity {

namespace {

std::size_t missing_values(const Dataset& data, ThreadPool& pool) {
  const ColumnMoments moments = data.features.table().moments(0, data.features.cols(), pool);
  return std::accumulate(moments.missing.begin(), moments.missing.end(), std::size_t{0});
}

[[noreturn]] void refuse_absent(const Model& model, const std::vector<std::uint32_t>& absent) {
  const Preprocessing& p = model.preprocessing;
  std::vector<std::string> names;
  for (const std::uint32_t j : absent) names.push_back(p.feature_names[p.kept[j]]);
  const char* why = absent.size() == p.kept.size() ? "columns are matched by name"
                    : p.directions > 0 ? "columns are matched by name, and principal directions (`whiten`) need all"
                                       : "columns are matched by name, and this model does not hold the training rows "
                                         "by which the others could tell them (it was fitted with `no_variances`, or "
                                         "on too many samples or values)";
  throw InputError(fmt::format("{} of the model's {} features {} not in the data: {}; {}", names.size(), p.kept.size(),
                               names.size() == 1 ? "is" : "are", shown_names(names, 5), why));
}

}  // namespace

MissingInputs find_missing(const Model& model, Dataset& data, bool fill_means, ThreadPool& pool) {
  const Preprocessing& p = model.preprocessing;
  MissingInputs out{absent_inputs(p, data), {}};
  const bool can_tell = model.training.values.rows > 0 && p.directions == 0;
  if (!out.absent.empty() && (!can_tell || out.absent.size() == p.kept.size())) refuse_absent(model, out.absent);
  if (!can_tell || (out.absent.empty() && (fill_means || missing_values(data, pool) == 0))) return out;
  add_absent_columns(p, out.absent, data);
  if (!fill_means) out.of_sample = missing_inputs(p, data, out.absent, pool);
  if (std::ranges::all_of(out.of_sample, [](const auto& inputs) { return inputs.empty(); })) out.of_sample.clear();
  return out;
}

}  // namespace cavity
