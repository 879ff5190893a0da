#include <algorithm>
#include <optional>

#include "cavity/report.hpp"

namespace cavity {

namespace {

struct OptionName {
  std::string_view name, python;
};
constexpr OptionName known_options[] = {
    {"analytic", "analytic"},
    {"block", "block"},
    {"block_name", "block_name"},
    {"boundary", "boundary"},
    {"check_loo", "check_loo"},
    {"class_prior", "class_prior"},
    {"covariate_file", "covariate_file"},
    {"covariates", "covariates"},
    {"confidence", "confidence"},
    {"cost", "cost"},
    {"decimal", "decimal"},
    {"drop", "drop"},
    {"duplicates", "duplicates"},
    {"fdr", "fdr"},
    {"folds", "folds"},
    {"from", "among"},
    {"group", "groups"},
    {"id", "id"},
    {"keep", "keep"},
    {"label", "label"},
    {"layer", "layer"},
    {"labels", "labels"},
    {"least_explained", "least_explained"},
    {"margin", "margin"},
    {"match", "match"},
    {"max_iterations", "max_iter"},
    {"memory", "memory"},
    {"method", "method"},
    {"most", "most"},
    {"must", "must"},
    {"na", "na"},
    {"never", "never"},
    {"no_transpose", "no_transpose"},
    {"no_variances", "variances=False"},
    {"normalise", "normalise"},
    {"pairs", "pairs"},
    {"resume", "resume"},
    {"samples", "samples"},
    {"sheet", "sheet"},
    {"seed", "random_state"},
    {"selected", "selected"},
    {"slope", "slope"},
    {"solver", "solver"},
    {"stratified", "stratified"},
    {"threshold", "threshold"},
    {"train", "train"},
    {"tolerance", "tol"},
    {"transpose", "transpose"},
    {"value_transform", "value_transform"},
    {"whiten", "scale='whiten'"},
};

std::string as_flag(std::string_view name, std::string_view value) {
  std::string out = "--" + std::string(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return value.empty() ? out : out + " " + std::string(value);
}

std::string as_python(std::string_view name, std::string_view value) {
  if (value.empty()) return std::string(name);
  const bool number = value.find_first_not_of("0123456789.") == std::string_view::npos;
  const std::string quote = number ? "" : "'";
  return std::string(name) + "=" + quote + std::string(value) + quote;
}

/// `quoted` is what stands between the quotes; nothing when it is no option.
std::optional<std::string> spelled(std::string_view quoted, OptionStyle style) {
  const std::size_t equals = std::min(quoted.find('='), quoted.size());
  const std::string_view name = quoted.substr(0, equals);
  const std::string_view value = equals < quoted.size() ? quoted.substr(equals + 1) : std::string_view();
  for (const OptionName& option : known_options)
    if (option.name == name)
      return style == OptionStyle::flags ? as_flag(name, value) : as_python(option.python, value);
  return std::nullopt;
}

}  // namespace

std::string spell_options(std::string_view text, OptionStyle style) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = std::min(text.find('`', at), text.size());
    out += text.substr(at, open - at);
    if (open == text.size()) break;
    const std::size_t close = text.find('`', open + 1);
    const auto option =
        close == std::string_view::npos ? std::nullopt : spelled(text.substr(open + 1, close - open - 1), style);
    out += option ? *option : "`";
    at = option ? close + 1 : open + 1;
  }
  return out;
}

Fit spell_options(Fit fit, OptionStyle style) {
  for (std::string& note : fit.data.notes) note = spell_options(note, style);
  for (Warning& w : fit.warnings) w = {w.name, spell_options(w.text, style), spell_options(w.cure, style)};
  return fit;
}

}  // namespace cavity
