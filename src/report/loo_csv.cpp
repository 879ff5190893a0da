#include <fmt/format.h>

#include "cavity/report.hpp"
#include "report/csv_field.hpp"
#include "report/json_parts.hpp"

namespace cavity {

namespace {

std::string row_of_two(const Fit& fit, std::size_t i, const std::string& truth, const std::string& label) {
  return fmt::format("{},{},{},{},{}{}\n", csv_field(fit.data.sample_names[i]), truth, fit.loo.probability[2 * i + 1],
                     label, fit.loo.reliable[i],
                     fit.loo.groups > 0 ? fmt::format(",{}", csv_field(fit.data.groups[i])) : "");
}

std::string row_of_more(const Fit& fit, std::size_t i, const std::string& truth, std::size_t called) {
  const auto& names = fit.model.class_names;
  const double* row = fit.loo.probability.data() + i * names.size();
  std::string out =
      fmt::format("{},{},{},{}", csv_field(fit.data.sample_names[i]), truth, csv_field(names[called]), row[called]);
  for (std::size_t k = 0; k < names.size(); ++k) out += fmt::format(",{}", row[k]);
  return out + fmt::format(",{}\n", fit.loo.reliable[i]);
}

}  // namespace

std::string loo_csv(const Fit& fit) {
  const auto& names = fit.model.class_names;
  std::string out = "sample,truth,";
  if (names.size() == 2) {
    out += fmt::format("probability,label,reliable{}\n", fit.loo.groups > 0 ? ",group" : "");
  } else {
    out += "label,probability";
    for (const std::string& name : names) out += fmt::format(",{}", csv_field(fmt::format("p_{}", name)));
    out += ",reliable\n";
  }
  const std::vector<std::uint32_t> called = called_classes(fit);
  for (std::size_t i = 0; i < called.size(); ++i) {
    const std::string truth = csv_field(names[fit.data.classes[i]]);
    out += names.size() == 2 ? row_of_two(fit, i, truth, csv_field(names[called[i]]))
                             : row_of_more(fit, i, truth, called[i]);
  }
  return out;
}

}  // namespace cavity
