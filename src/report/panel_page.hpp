// Panels as the web page's data; the contract is web/src/panel/panel_data.ts.
#pragma once

#include <nlohmann/json.hpp>

#include "cavity/panel_report.hpp"

namespace cavity {

nlohmann::ordered_json panel_page_data(const Panel& panel, const ReportContext& context);

}  // namespace cavity
