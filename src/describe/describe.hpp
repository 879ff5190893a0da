// A tree of commands in the forms in which people meet it.
#pragma once

#include <string>

#include "describe/command_tree.hpp"

namespace cavity::describe {

/// cavity.1, for man(1).
std::string man_page(const CommandText& tree, const std::string& version);

/// Functions that complete commands, options, listed values and file names; `programs`: those that take them.
std::string bash_completion(const CommandText& tree, const std::string& programs);
std::string zsh_completion(const CommandText& tree, const std::string& programs);

/// The manual's page of every option, in Markdown.
std::string reference_page(const CommandText& tree);

/// "--density TEXT", "-o, --output TEXT".
std::string spelled(const OptionText& option);

/// "cavity fit [OPTIONS] [data]".
std::string usage(const CommandText& command);

}  // namespace cavity::describe
