// Results as one self-contained web page. What it shows depends on the data's "kind": fit, compare or reproduce.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cavity/fit.hpp"

namespace cavity {

struct ReportContext {
  std::string file, command;  // what was read, and how it was asked for
  FitOptions options;
};

/// A fit as the page's data; the contract is web/src/fit/report_data.ts.
nlohmann::ordered_json report_data(const Fit& fit, const ReportContext& context);

/// The paper to cite: one sentence, and BibTeX.
nlohmann::ordered_json citation();

/// False when there was no npm to build the page.
bool has_report_page();
void require_report_page();  // UsageError that says so

/// The page with the data in it. UsageError when this build has no page.
std::string html_report(const nlohmann::ordered_json& data);

}  // namespace cavity
