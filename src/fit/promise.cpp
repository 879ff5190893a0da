#include "fit/promise.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace cavity {

namespace {

using Json = nlohmann::json;

Json summary_of(const Model& model) { return Json::parse(model.summary_json, nullptr, false); }

bool has_number(const Json& json, const char* key) { return json.contains(key) && json.at(key).is_number(); }

}  // namespace

std::optional<Promise> promise_of(const Model& model) {
  const Json summary = summary_of(model);
  if (!summary.is_object() || !has_number(summary, "loo_error") || !has_number(summary, "loo_log_loss") ||
      !has_number(summary, "brier"))
    return std::nullopt;
  Promise out{summary.at("loo_error"), summary.at("loo_log_loss"), summary.at("brier"), {}, {}};
  if (const Json interval = summary.value("loo_error_interval", Json());
      interval.is_array() && interval.size() == 2 && interval[0].is_number() && interval[1].is_number())
    out.error_interval = {interval[0], interval[1]};
  for (const Json& one : summary.value("classes", Json::array()))
    if (one.is_object() && has_number(one, "count")) out.class_counts.push_back(one.at("count"));
  if (out.class_counts.size() != model.class_names.size()) out.class_counts.clear();
  return out;
}

std::vector<double> left_out_of(const Model& model) {
  const Json summary = summary_of(model);
  if (!summary.is_object()) return {};
  const Json rows = summary.value("loo_probability", Json::array());
  std::vector<double> out;
  for (const Json& row : rows) {
    if (!row.is_array() || row.size() != model.class_names.size()) return {};
    for (const Json& p : row) {
      if (!p.is_number()) return {};
      out.push_back(p);
    }
  }
  return out;
}

std::vector<std::uint32_t> truth_of(const Model& model) {
  const Json summary = summary_of(model);
  if (!summary.is_object()) return {};
  std::vector<std::uint32_t> out;
  for (const Json& name : summary.value("loo_truth", Json::array())) {
    if (!name.is_string()) return {};
    const auto at = std::ranges::find(model.class_names, name.get<std::string>());
    if (at == model.class_names.end()) return {};
    out.push_back(static_cast<std::uint32_t>(at - model.class_names.begin()));
  }
  return out;
}

std::size_t groups_of(const Model& model) {
  const Json summary = summary_of(model);
  return summary.is_object() && has_number(summary, "sample_groups") ? summary.at("sample_groups").get<std::size_t>()
                                                                     : 0;
}

bool adapted(const Model& model) {
  const Json summary = summary_of(model);
  return summary.is_object() && !summary.value("adapted", Json::array()).empty();
}

}  // namespace cavity
