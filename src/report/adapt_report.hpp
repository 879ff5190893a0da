// What an adaptation has changed: as a person reads it, and as a program does.
#pragma once

#include <string>
#include <vector>

#include "cavity/adapt.hpp"

namespace cavity {

std::string adaptation_text(const Adaptation& how, const std::vector<std::string>& class_names);
std::string adaptation_json(const Adaptation& how, const std::vector<std::string>& class_names);

}  // namespace cavity
