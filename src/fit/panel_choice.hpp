// What may be chosen for a panel: names of features become their places.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "cavity/panel.hpp"
#include "fit/panel_search.hpp"

namespace cavity {

/// Places of names; an InputError that lists those that are not there as names of `option`.
class FeaturePlaces {
 public:
  explicit FeaturePlaces(const std::vector<std::string>& names);
  std::vector<std::uint32_t> of(const std::vector<std::string>& wanted, const char* option) const;

 private:
  std::unordered_map<std::string, std::uint32_t> place_;
};

/// What may be chosen, by features of the file; `preprocessing` has dropped those that do not vary.
struct PanelChoice {
  std::size_t most;
  std::vector<std::uint32_t> must;
  std::vector<char> open;     // a feature
  std::vector<double> price;  // a feature
};
/// From names. InputError for names that the data do not have.
PanelChoice panel_choice(const PanelOptions& options, const std::vector<std::string>& feature_names);
PanelRules panel_rules(const PanelChoice& choice, const Preprocessing& preprocessing);

}  // namespace cavity
