// A validation as a person reads it, and as a program does.
#pragma once

#include <string>

#include "cavity/validate.hpp"

namespace cavity {

/// `subgroup`: what `by` was, empty where nothing.
std::string validation_text(const Validation& validation, const std::string& subgroup);

/// One object (docs/cli.md).
std::string validation_json(const Validation& validation);

}  // namespace cavity
