// The commands and options of the program as plain text, from the same declarations that parse the command line:
// man page, shell completions and the manual's reference are written from it and cannot go stale.
#pragma once

#include <string>
#include <vector>

namespace cavity::describe {

struct OptionText {
  std::vector<std::string> names;  // -o, --output; of a positional argument its one name
  std::string value;               // TEXT, FLOAT, [FILE]; empty: a flag
  std::string text, group;
  std::vector<std::string> choices;  // values, where the text lists them: "auto, ep or gamp: ..."
  bool required = false;
};

struct CommandText {
  std::string name;  // the whole of it, "theory plan"
  std::string text, footer;
  std::vector<OptionText> arguments, options;
  std::vector<CommandText> commands;
};

/// Of `cavity`, all sub-commands below it.
CommandText command_tree();

/// "auto, none or rank: what happens first" -> auto, none, rank; a remark in parentheses may follow each. Empty where
/// the text does not begin with such a list.
std::vector<std::string> listed_choices(const std::string& text);

/// Headings under which help shows options, in order.
std::vector<std::string> groups_of(const std::vector<OptionText>& options);

/// All commands that have no commands below them, in order.
std::vector<const CommandText*> leaves(const CommandText& tree);

}  // namespace cavity::describe
