// A comparison as the web page's data; the contract is web/src/compare/compare_data.ts.
#include "report/compare_report.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;

// By column.
Json split_table(const std::vector<SplitResult>& results) {
  Json out;
  for (const char* name :
       {"split", "method", "test", "error", "log_loss", "status", "cells", "settled", "density", "noise"})
    out[name] = Json::array();
  for (const SplitResult& r : results) {
    out["split"].push_back(r.split);
    out["method"].push_back(r.method);
    out["test"].push_back(r.test);
    out["error"].push_back(json_number(r.error));
    out["log_loss"].push_back(json_number(r.log_loss));
    out["status"].push_back(r.status);
    out["cells"].push_back(r.cells);
    out["settled"].push_back(r.settled);
    out["density"].push_back(json_number(r.density));
    out["noise"].push_back(json_number(r.noise));
  }
  return out;
}

}  // namespace

Json compare_page_data(const Comparison& comparison, const CompareContext& context) {
  Json out{{"kind", "compare"}, {"version", CAVITY_VERSION}, {"command", context.command}, {"file", context.file}};
  out["classes"] = Json::array();
  for (const auto& [name, samples] : context.classes) out["classes"].push_back({{"name", name}, {"samples", samples}});
  out["features"] = context.features;
  out["train"] = context.train;
  out["settings"] = context.settings;
  out.update(compare_json(comparison));
  const auto& methods = comparison.methods;
  for (std::size_t i = 1; i < methods.size(); ++i)  // the same test from the other side
    out["tests"][i - 1]["sign_test_p_worse"] =
        json_number(duel(comparison.results, methods[i].name, methods.front().name).sign_p);
  out["splits"] = split_table(comparison.results);
  out["citation"] = citation();
  return out;
}

}  // namespace cavity
