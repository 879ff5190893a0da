#include <fmt/format.h>

#include "cavity/report.hpp"
#include "report/csv_field.hpp"

namespace cavity {

// Of two classes one number says all, and stands where it always stood.
std::string loo_csv(const Fit& fit) {
  const auto& names = fit.model.class_names;
  const bool two = names.size() == 2, groups = fit.loo.groups > 0;
  std::string out = two ? "sample,truth,probability,label" : "sample,truth,label,probability";
  for (std::size_t k = 0; !two && k < names.size(); ++k) out += fmt::format(",{}", csv_field("p_" + names[k]));
  out += groups ? ",reliable,group\n" : ",reliable\n";
  for (std::size_t i = 0; i < fit.loo.called.size(); ++i) {
    const std::uint32_t called = fit.loo.called[i];
    const double* row = fit.loo.probability.data() + i * names.size();
    const std::string label = csv_field(names[called]);
    out += fmt::format("{},{}", csv_field(fit.data.sample_names[i]), csv_field(names[fit.data.classes[i]]));
    out += two ? fmt::format(",{},{}", row[1], label) : fmt::format(",{},{}", label, row[called]);
    for (std::size_t k = 0; !two && k < names.size(); ++k) out += fmt::format(",{}", row[k]);
    out += fmt::format(",{}", fit.loo.reliable[i]);
    out += groups ? fmt::format(",{}\n", csv_field(fit.data.groups[i])) : "\n";
  }
  return out;
}

}  // namespace cavity
