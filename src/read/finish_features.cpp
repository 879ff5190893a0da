#include "read/finish_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "file/messages.hpp"
#include "table/matrix_size.hpp"
#include "table/numbering.hpp"

namespace cavity {

namespace {

/// The place of each column among the different names, in order of their first.
std::vector<std::size_t> places_of(const std::vector<std::string>& names, std::vector<std::string>& different) {
  std::unordered_map<std::string_view, std::size_t> known;
  std::vector<std::size_t> out;
  for (const std::string& name : names) {
    const auto [at, fresh] = known.emplace(name, different.size());
    if (fresh) different.push_back(name);
    out.push_back(at->second);
  }
  return out;
}

void join_row(const float* from, const std::vector<std::size_t>& places, Duplicates how, std::vector<double>& sums,
              std::vector<std::size_t>& counts, float* to) {
  std::fill(sums.begin(), sums.end(), 0.0);
  std::fill(counts.begin(), counts.end(), 0);
  for (std::size_t column = 0; column < places.size(); ++column) {
    const std::size_t at = places[column];
    if (std::isnan(from[column]) || (how == Duplicates::first && counts[at] > 0)) continue;
    sums[at] += static_cast<double>(from[column]);
    ++counts[at];
  }
  for (std::size_t at = 0; at < sums.size(); ++at) {
    const double share = how == Duplicates::mean ? static_cast<double>(counts[at]) : 1.0;
    to[at] = counts[at] == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(sums[at] / share);
  }
}

bool is_numbered(const std::vector<std::string>& names) {
  return names.front() == "x1" && names.back() == fmt::format("x{}", names.size());
}

}  // namespace

void join_duplicates(const ReadOptions& options, Dataset& data) {
  const Duplicates how = options.duplicates;
  if (how == Duplicates::refuse || how == Duplicates::suffix || !data.features.is_dense()) return;
  std::vector<std::string> different;
  const std::vector<std::size_t> places = places_of(data.feature_names, different);
  if (different.size() == data.feature_names.size()) return;
  const FeatureMatrix& from = std::as_const(data.features).dense();
  FeatureMatrix to = allocate_features(from.rows, different.size(), "the table");
  std::vector<double> sums(different.size());
  std::vector<std::size_t> counts(different.size());
  for (std::size_t i = 0; i < from.rows; ++i) join_row(from.row(i), places, how, sums, counts, to.row(i));
  data.notes.push_back(fmt::format("{} joined to those of the same name, by their {}",
                                   counted(places.size() - different.size(), "feature"),
                                   how == Duplicates::mean  ? "mean"
                                   : how == Duplicates::sum ? "sum"
                                                            : "first"));
  data.features = std::move(to);
  data.feature_names = std::move(different);
}

void leave_out_ids(const ReadOptions& options, Dataset& data) {
  if (!options.labels_required || !data.features.is_dense() || is_numbered(data.feature_names)) return;
  const FeatureMatrix& from = std::as_const(data.features).dense();
  std::vector<NumberingColumn> ids = numbering_columns(from, data.feature_names, data.classes);
  std::erase_if(ids, [&](const NumberingColumn& id) {
    return std::find(options.keep.begin(), options.keep.end(), data.feature_names[id.column]) != options.keep.end();
  });
  if (ids.empty() || ids.size() == from.cols) return;
  std::vector<bool> leave(from.cols, false);
  for (const NumberingColumn& id : ids) {
    leave[id.column] = true;
    data.notes.push_back(fmt::format("left out: {} {} (`keep` makes it a feature, `group` says who belongs together)",
                                     shown(data.feature_names[id.column]), id.why));
  }
  FeatureMatrix to = allocate_features(from.rows, from.cols - ids.size(), "the table");
  for (std::size_t i = 0; i < from.rows; ++i) {
    float* out = to.row(i);
    for (std::size_t column = 0; column < from.cols; ++column)
      if (!leave[column]) *out++ = from.row(i)[column];
  }
  data.features = std::move(to);
  std::vector<std::string> names;
  for (std::size_t column = 0; column < leave.size(); ++column)
    if (!leave[column]) names.push_back(std::move(data.feature_names[column]));
  data.feature_names = std::move(names);
}

}  // namespace cavity
