#include "report/measured_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "file/messages.hpp"

namespace cavity {

namespace {

double least_explained(const MeasuredPart& measured) {
  double out = measured.explained;
  for (const double share : measured.sample_explained) out = std::min(out, share);
  return out;
}

}  // namespace

std::vector<std::string> measured_lines(const MeasuredPart& m) {
  std::vector<std::string> out;
  if (m.renamed > 0) out.push_back(fmt::format("{} found by `match`", counted(m.renamed, "feature")));
  if (!m.absent.empty())
    out.push_back(fmt::format(
        "{} of the model's {} features have no column ({}): told by the others, {:.1f} % of what decides is explained",
        m.absent.size(), m.features, shown_names(m.absent, 3), 100 * m.explained));
  if (m.missing > m.filled)
    out.push_back(
        fmt::format("{} told by the sample's other values; of the sample that lacks most {:.1f} % of what "
                    "decides is explained",
                    counted(m.missing - m.filled, "missing value"), 100 * least_explained(m)));
  if (m.filled > 0) out.push_back(counted(m.filled, "missing value") + " replaced by the feature's training mean");
  const auto doubtful = static_cast<std::size_t>(
      std::ranges::count_if(m.sample_explained, [](double share) { return share < doubtful_share; }));
  if (doubtful > 0)
    out.push_back(fmt::format(
        "warning: little-measured: of {} less than {:.0f} % of what decides is explained by what was measured; their "
        "probabilities say so by staying near the classes' shares, but a model fitted on the features that are there "
        "may say more",
        counted(doubtful, "sample"), 100 * doubtful_share));
  return out;
}

nlohmann::ordered_json measured_json(const MeasuredPart& m) {
  return {{"features", m.features},   {"absent", m.absent},
          {"explained", m.explained}, {"least_explained", least_explained(m)},
          {"missing", m.missing},     {"filled", m.filled},
          {"renamed", m.renamed}};
}

}  // namespace cavity
