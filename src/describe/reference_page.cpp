#include <fmt/format.h>
#include <fmt/ranges.h>

#include "describe/describe.hpp"

namespace cavity::describe {

namespace {

std::string table_cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : c == '\n' ? " " : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

std::string table_of(const std::vector<OptionText>& options, const std::string& group) {
  std::string rows;
  for (const OptionText& option : options) {
    if (option.group != group || option.names.back() == "--help") continue;
    rows += fmt::format("| `{}` | {}{} |\n", table_cell(spelled(option)), table_cell(option.text),
                        option.required ? " **Required.**" : "");
  }
  return rows.empty() ? "" : fmt::format("| {} | |\n|---|---|\n{}\n", group, rows);
}

}  // namespace

std::string spelled(const OptionText& option) {
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  const bool positional = !names.starts_with("-");
  return option.value.empty() || positional ? names : names + " " + option.value;
}

std::string usage(const CommandText& command) {
  std::string out = "cavity " + command.name + " [OPTIONS]";
  for (const OptionText& argument : command.arguments)
    out += argument.required ? " " + argument.names[0] : " [" + argument.names[0] + "]";
  return out;
}

std::string reference_page(const CommandText& tree) {
  std::string out =
      "# Every option\n\nWritten from the program itself: what `cavity COMMAND --help` prints. What the options are "
      "for, with defaults and examples: [command line](cli.md).\n";
  for (const CommandText* command : leaves(tree)) {
    out += fmt::format("\n## cavity {}\n\n{}\n\n```\n{}\n```\n\n", command->name, command->text, usage(*command));
    for (const OptionText& argument : command->arguments)
      out += fmt::format("`{}`: {}\n\n", argument.names[0], argument.text);
    for (const std::string& group : groups_of(command->options)) out += table_of(command->options, group);
    if (!command->footer.empty()) out += command->footer + "\n";
  }
  return out;
}

}  // namespace cavity::describe
