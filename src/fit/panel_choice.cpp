#include "fit/panel_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cavity/errors.hpp"
#include "file/messages.hpp"

namespace cavity {

FeaturePlaces::FeaturePlaces(const std::vector<std::string>& names) {
  for (std::uint32_t l = 0; l < names.size(); ++l) place_.emplace(names[l], l);
}

std::vector<std::uint32_t> FeaturePlaces::of(const std::vector<std::string>& wanted, const char* option) const {
  std::vector<std::uint32_t> out;
  std::vector<std::string> absent;
  for (const std::string& name : wanted)
    if (const auto found = place_.find(name); found != place_.end())
      out.push_back(found->second);
    else
      absent.push_back(name);
  if (absent.empty()) return out;
  throw InputError(fmt::format("`{}` names {} that {} not in the data: {}", option,
                               absent.size() == 1 ? "a feature" : "features", absent.size() == 1 ? "is" : "are",
                               shown_names(absent, 5)));
}

PanelChoice panel_choice(const PanelOptions& options, const std::vector<std::string>& feature_names) {
  const FeaturePlaces names(feature_names);
  PanelChoice out{options.most, names.of(options.must, "must"),
                  std::vector<char>(feature_names.size(), options.from.empty() ? 1 : 0),
                  std::vector<double>(feature_names.size(), 1)};
  for (const std::uint32_t l : names.of(options.from, "from")) out.open[l] = 1;
  for (const std::uint32_t l : out.must) out.open[l] = 1;
  for (const std::uint32_t l : names.of(options.never, "never")) {
    if (std::ranges::find(out.must, l) != out.must.end())
      throw UsageError(fmt::format("feature {} stands in `must` and in `never`", shown(feature_names[l])));
    out.open[l] = 0;
  }
  for (const auto& [name, price] : options.price) {
    if (!(price > 0))
      throw InputError(
          fmt::format("feature {} has the price {:g}: a price (`cost`) is a positive number", shown(name), price));
    out.price[names.of({name}, "cost").front()] = price;
  }
  if (std::ranges::count(out.open, 0) == static_cast<std::ptrdiff_t>(out.open.size()))
    throw UsageError("no feature is left to choose from: `never` excludes all that `from` allows");
  return out;
}

PanelRules panel_rules(const PanelChoice& choice, const Preprocessing& preprocessing) {
  PanelRules out;
  out.most = choice.most;
  for (std::size_t j = 0; j < preprocessing.kept.size(); ++j) {
    const std::uint32_t l = preprocessing.kept[j];
    out.open.push_back(choice.open[l]);
    out.price.push_back(choice.price[l]);
    if (std::ranges::find(choice.must, l) != choice.must.end()) out.must.push_back(j);
  }
  return out;
}

}  // namespace cavity
