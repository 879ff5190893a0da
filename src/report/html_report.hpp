// Results as one self-contained web page. What it shows depends on the data's "kind": fit,
// several (a fit of more than two classes), compare or reproduce.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cavity/report.hpp"

namespace cavity {

/// A fit as the page's data, options spelled as flags; the contract is web/src/fit/report_data.ts, of more than two
/// classes web/src/several/several_data.ts.
nlohmann::ordered_json report_data(const Fit& fit, const ReportContext& context);

/// What the pages of all fits begin with, into `out`: version, command, options, file, sizes, classes, solver.
void add_head(const Fit& fit, const ReportContext& context, nlohmann::ordered_json& out);

/// The paper to cite: one sentence, and BibTeX.
nlohmann::ordered_json citation();

/// The page with the data in it. UsageError when this build has no page.
std::string html_report(const nlohmann::ordered_json& data);

}  // namespace cavity
