// What a model file knows of its own study, as Markdown for a paper's supplement: its blanks are marked.
#pragma once

#include <string>

#include "cavity/model.hpp"

namespace cavity {

/// The items of TRIPOD+AI (Collins et al., BMJ 385, e078378, 2024), in their order.
std::string tripod_sheet(const Model& model);

/// What somebody who is to use the model should know, in the same words.
std::string model_card(const Model& model);

}  // namespace cavity
