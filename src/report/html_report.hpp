// Results as one self-contained web page. What it shows depends on the data's "kind": fit, compare, reproduce or
// validate.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cavity/report.hpp"

namespace cavity {

/// A fit as the page's data, options spelled as flags; the contract is web/src/fit/report_data.ts.
nlohmann::ordered_json report_data(const Fit& fit, const ReportContext& context);

/// The paper to cite: one sentence, and BibTeX.
nlohmann::ordered_json citation();

/// The page with the data in it. UsageError when this build has no page.
std::string html_report(const nlohmann::ordered_json& data);

/// The same with a template that is kept elsewhere; empty: there is none.
std::string html_report(const nlohmann::ordered_json& data, std::string_view page);

}  // namespace cavity
