// Names of options and of values that were other ones in the version before: understood for one version more.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cavity::cli {

/// The words of a command line with the names of today. `note` gets a sentence for each that was another one.
std::vector<std::string> in_names_of_today(std::vector<std::string> words,
                                           const std::function<void(const std::string&)>& note);

}  // namespace cavity::cli
