// A validation as a person reads it, and as a program does.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cavity/report.hpp"
#include "cavity/validate.hpp"

namespace cavity {

/// `subgroup`: what `by` was, empty where nothing.
std::string validation_text(const Validation& validation, const std::string& subgroup,
                            OptionStyle style = OptionStyle::flags);

/// One object (docs/cavity.schema.json).
std::string validation_json(const Validation& validation, OptionStyle style = OptionStyle::flags);

/// The data of its page: the same values, and what was asked for. The contract is web/src/validate/validate_data.ts.
struct ValidationContext {
  std::string model, file, command, subgroup;
};
nlohmann::ordered_json validation_page_data(const Validation& validation, const ValidationContext& context);

}  // namespace cavity
