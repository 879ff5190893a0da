// A fit as one self-contained web page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cavity/fit.hpp"

namespace cavity {

struct ReportContext {
  std::string file, command;  // what was read, and how it was asked for
  FitOptions options;
};

/// The page's data; the contract is web/src/report_data.ts.
nlohmann::ordered_json report_data(const Fit& fit, const ReportContext& context);

/// The page with the data in it. UsageError when this build has no page (there was no npm).
std::string html_report(const nlohmann::ordered_json& data);

}  // namespace cavity
