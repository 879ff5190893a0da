// The file that a model is kept in (docs/model-file.md).
#pragma once

#include <string>
#include <string_view>

#include "cavity/model.hpp"

namespace cavity {

void save_model(const Model& model, const std::string& path);
Model load_model(const std::string& path);
/// The bytes of the model file, without a file.
std::string model_bytes(const Model& model);
Model model_from_bytes(std::string_view bytes);

}  // namespace cavity
