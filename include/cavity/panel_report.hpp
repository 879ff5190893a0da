// A panel as a person reads it and as a program does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cavity/panel.hpp"

namespace cavity {

/// The price of each of `sizes` (all where there are none), the suggested one, and the members of the described panel
/// with who could sit in their place.
std::string panel_text(const Panel& panel, const std::vector<std::size_t>& sizes = {});

/// One object (docs/panel.md), with every size.
std::string panel_json(const Panel& panel);

}  // namespace cavity
