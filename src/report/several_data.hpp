// A fit of more than two classes as the data of its page.
#pragma once

#include <nlohmann/json.hpp>

#include "cavity/report.hpp"

namespace cavity {

/// Of a fit whose options are spelled already; the contract is web/src/several/several_data.ts.
nlohmann::ordered_json several_data(const Fit& fit, const ReportContext& context);

}  // namespace cavity
