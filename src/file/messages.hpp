// Pieces of error messages: values and names as they can be shown on a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cavity {

/// Whether a character in UTF-8 is a control character of either half, a mark that turns the direction of what follows,
/// or a separator of lines.
bool drives_terminal(std::string_view character);

/// The value in quotes, cut after 40 characters, control characters and broken UTF-8 escaped.
std::string shown(std::string_view value);

/// The same without quotes and whole, or its first `most` characters: every name that came from a file or the command
/// line and stands in a text for people goes through here.
std::string plain(std::string_view value, std::size_t most = static_cast<std::size_t>(-1));

/// A text as a terminal may have it: what is left in it that could drive one is written out, but for line ends and
/// tabs.
std::string plain_lines(std::string_view text);

/// Up to `limit` names in quotes, then "and N more".
std::string shown_names(const std::vector<std::string>& names, std::size_t limit);
std::string shown_names(const std::vector<std::string_view>& names, std::size_t limit);

/// "; did you mean 'a' or 'b'?" when some names are close to the wanted one, else "; the columns are ...".
std::string nearest_names(std::string_view wanted, const std::vector<std::string>& names);

/// "1 sample", "2 samples".
std::string counted(std::size_t count, const std::string& one);

/// "standard input" for "-", else the path, plain.
std::string shown_path(const std::string& path);

}  // namespace cavity
