#include "classes/several_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "file/messages.hpp"

namespace cavity {

namespace {

constexpr std::size_t few = 5;  // samples of a class
constexpr const char* few_samples = "few-samples";

Warnings about_classes(const std::vector<Warnings>& of_class, const std::vector<std::string>& names) {
  Warnings out;
  for (std::size_t k = 0; k < of_class.size(); ++k)
    for (const Warning& warning : of_class[k]) {
      if (warning.name == few_samples) continue;  // every class is rare against the rest where there are many
      const auto same = std::find_if(out.begin(), out.end(), [&](const Warning& w) { return w.name == warning.name; });
      if (same != out.end()) continue;
      std::vector<std::string> others;
      for (std::size_t j = k + 1; j < of_class.size(); ++j)
        if (std::any_of(of_class[j].begin(), of_class[j].end(),
                        [&](const Warning& w) { return w.name == warning.name; }))
          others.push_back(names[j]);
      const std::string also = others.empty() ? "" : "; likewise " + shown_names(others, 5);
      out.push_back({warning.name, fmt::format("class {} against the rest: {}{}", shown(names[k]), warning.text, also),
                     warning.cure});
    }
  return out;
}

Warnings about_rare_classes(const std::vector<std::size_t>& counts, const std::vector<std::string>& names) {
  std::string rare;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] < few) rare += fmt::format("{}{} ({})", rare.empty() ? "" : ", ", shown(names[k]), counts[k]);
  if (rare.empty()) return {};
  return {
      {few_samples,
       fmt::format("classes with fewer than {} samples: {}; what is said of them rests on next to nothing", few, rare),
       "get more samples of them, join classes that belong together, or leave them out"}};
}

}  // namespace

Warnings several_warnings(const Fit& fit, const std::vector<Warnings>& of_class, const Labelled& data,
                          const std::vector<Twins>& twins) {
  Warnings out = about_classes(of_class, data.class_names);
  for (const Warnings& some :
       {about_rare_classes(fit.data.counts, data.class_names), warnings_about_data(fit, data, twins)})
    out.insert(out.end(), some.begin(), some.end());
  return out;
}

}  // namespace cavity
