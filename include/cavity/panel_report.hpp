// A panel as a person reads it and as a program does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cavity/panel.hpp"
#include "cavity/report.hpp"

namespace cavity {

/// The price of each of `sizes` (all where there are none), the suggested one, and the members of the described panel
/// with who could sit in their place.
std::string panel_text(const Panel& panel, const std::vector<std::size_t>& sizes = {});

/// One object (docs/panel.md), with every size.
std::string panel_json(const Panel& panel);

/// The panel of the first `size` features as a model to save, with what its fit says of itself.
Model panel_model(const Panel& panel, std::size_t size);

/// A web page of them, with that of the fit of all features below. UsageError when this build has no page.
std::string panel_page(const Panel& panel, const ReportContext& context);

}  // namespace cavity
