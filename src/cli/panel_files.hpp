// Files that say which features a panel may have, and what they cost.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cavity::cli {

/// A name a line; empty lines are passed over. IoError, InputError.
std::vector<std::string> read_names(const std::string& path);

/// A name and its price a line, with a comma or a tab between them; a first line whose price is no number is a header.
/// IoError; InputError with file and line.
std::vector<std::pair<std::string, double>> read_prices(const std::string& path);

/// "A,B" -> names; empty: none.
std::vector<std::string> parse_names(const std::string& text);

}  // namespace cavity::cli
