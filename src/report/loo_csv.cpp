#include <fmt/format.h>

#include "cavity/report.hpp"
#include "report/csv_field.hpp"

namespace cavity {

std::string loo_csv(const Fit& fit) {
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
