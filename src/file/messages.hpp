// Pieces of error messages: values and names as they can be shown on a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cavity {

/// The value in quotes, cut after 40 characters, control characters and broken UTF-8 escaped.
std::string shown(std::string_view value);

/// Up to `limit` names in quotes, then "and N more".
std::string shown_names(const std::vector<std::string>& names, std::size_t limit);
std::string shown_names(const std::vector<std::string_view>& names, std::size_t limit);

/// "; did you mean 'a' or 'b'?" when some names are close to the wanted one, else "; the columns are ...".
std::string nearest_names(std::string_view wanted, const std::vector<std::string>& names);

/// "1 sample", "2 samples".
std::string counted(std::size_t count, const std::string& one);

/// "standard input" for "-", else the path.
std::string shown_path(const std::string& path);

}  // namespace cavity
