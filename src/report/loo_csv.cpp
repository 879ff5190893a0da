#include <fmt/format.h>

#include <algorithm>

#include "cavity/report.hpp"
#include "report/csv_field.hpp"

namespace cavity {

namespace {

std::string several_csv(const Fit& fit) {
  const auto& names = fit.model.class_names;
  std::string out = "sample,truth,label,probability";
  for (const std::string& name : names) out += fmt::format(",{}", csv_field(fmt::format("p_{}", name)));
  out += ",reliable\n";
  for (std::size_t i = 0; i < fit.data.samples; ++i) {
    const auto row = fit.several.probability.begin() + static_cast<std::ptrdiff_t>(i * names.size());
    const auto best = std::max_element(row, row + static_cast<std::ptrdiff_t>(names.size()));
    out += fmt::format("{},{},{},{}", csv_field(fit.data.sample_names[i]), csv_field(names[fit.data.classes[i]]),
                       csv_field(names[static_cast<std::size_t>(best - row)]), *best);
    for (std::size_t k = 0; k < names.size(); ++k) out += fmt::format(",{}", row[static_cast<std::ptrdiff_t>(k)]);
    out += fmt::format(",{}\n", fit.loo.reliable[i]);
  }
  return out;
}

}  // namespace

std::string loo_csv(const Fit& fit) {
  if (!fit.per_class.empty()) return several_csv(fit);
  const auto& names = fit.model.class_names;
  const bool groups = fit.loo.groups > 0;
  std::string out = fmt::format("sample,truth,probability,label,reliable{}\n", groups ? ",group" : "");
  for (std::size_t i = 0; i < fit.loo.probability.size(); ++i)
    out += fmt::format("{},{},{},{},{}{}\n", csv_field(fit.data.sample_names[i]),
                       csv_field(names[fit.data.labels[i] > 0 ? 1 : 0]), fit.loo.probability[i],
                       csv_field(names[fit.loo.probability[i] >= 0.5 ? 1 : 0]), fit.loo.reliable[i],
                       groups ? fmt::format(",{}", csv_field(fit.data.groups[i])) : "");
  return out;
}

}  // namespace cavity
