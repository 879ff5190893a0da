#include "report/adapt_report.hpp"

#include <fmt/format.h>

#include "file/messages.hpp"
#include "report/json_parts.hpp"

namespace cavity {

std::string adaptation_text(const Adaptation& how, const std::vector<std::string>& class_names) {
  std::string out;
  for (std::size_t k = class_names.size() == 2 ? 1 : 0; k < class_names.size(); ++k)
    out += fmt::format("{}: log odds {:+.2f}\n", shown(class_names[k]), how.intercept[k]);
  if (how.samples == 0) return out + "as common as the shares say; no labelled samples\n";
  return out + fmt::format(
                   "slope {:.2f} (1: as sure as before), from {}\nprobability that nothing has changed {:.2f}\n"
                   "log loss on them {:.3f} before, {:.3f} with each left out of the adaptation\n",
                   how.slope, counted(how.samples, "sample"), how.unchanged, how.log_loss_before,
                   how.log_loss_left_out);
}

std::string adaptation_json(const Adaptation& how, const std::vector<std::string>& class_names) {
  const bool labelled = how.samples > 0;
  nlohmann::ordered_json out = {{"classes", class_names},           {"samples", how.samples},
                                {"class_counts", how.class_counts}, {"class_prior", how.class_prior},
                                {"intercept", how.intercept},       {"slope", how.slope},
                                {"unchanged", how.unchanged}};
  out["log_loss_before"] = labelled ? json_number(how.log_loss_before) : nlohmann::ordered_json(nullptr);
  out["log_loss_left_out"] = labelled ? json_number(how.log_loss_left_out) : nlohmann::ordered_json(nullptr);
  return document(out);
}

}  // namespace cavity
