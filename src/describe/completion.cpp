#include <fmt/format.h>
#include <fmt/ranges.h>

#include "describe/describe.hpp"

namespace cavity::describe {

namespace {

std::string all_names(const CommandText& command) {
  std::string out;
  for (const OptionText& option : command.options)
    for (const std::string& name : option.names) out += (out.empty() ? "" : " ") + name;
  return out;
}

/// What may follow a command that is no option: commands below it, or the listed values of its argument.
std::string names_below(const CommandText& command) {
  std::string out;
  for (const OptionText& argument : command.arguments) out += fmt::format("{}", fmt::join(argument.choices, " "));
  for (const CommandText& below : command.commands)
    out += (out.empty() ? "" : " ") + below.name.substr(below.name.rfind(' ') + 1);
  return out;
}

std::vector<const CommandText*> with_all_below(const CommandText& tree) {
  std::vector<const CommandText*> out{&tree};
  for (const CommandText& below : tree.commands)
    for (const CommandText* command : with_all_below(below)) out.push_back(command);
  return out;
}

/// Lines of a bash `case` over "command:option": what may follow an option whose values are listed.
std::string value_cases(const CommandText& command) {
  std::string out;
  for (const OptionText& option : command.options) {
    if (option.value.empty()) continue;
    std::string patterns;
    for (const std::string& name : option.names)
      patterns += fmt::format("{}'{}:{}'", patterns.empty() ? "" : "|", command.name, name);
    out += fmt::format("    {}) COMPREPLY=($(compgen {} -- \"$current\")); return ;;\n", patterns,
                       option.choices.empty() ? "-f" : fmt::format("-W '{}'", fmt::join(option.choices, " ")));
  }
  return out;
}

// In _arguments's specifications colons and brackets separate, in the shell's quotes a quote ends.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c == '\'' ? "'\\''" : c == '\n' ? " " : std::string(1, c);
  }
  return out;
}

std::string zsh_arguments(const CommandText& command) {
  std::string out;
  for (const OptionText& option : command.options)
    for (const std::string& name : option.names) {
      const std::string action =
          option.choices.empty() ? "_files" : fmt::format("({})", fmt::join(option.choices, " "));
      out += fmt::format(" \\\n        '{}[{}]{}'", name, zsh_text(option.text),
                         option.value.empty() ? "" : fmt::format(":{}:{}", zsh_text(option.value), action));
    }
  const std::string values = names_below(command);
  return out + fmt::format(" \\\n        '*:{}'", values.empty() ? "file:_files" : "value:(" + values + ")");
}

std::string zsh_described(const CommandText& command) {
  std::string out;
  for (const CommandText& below : command.commands)
    out += fmt::format(" '{}:{}'", below.name.substr(below.name.rfind(' ') + 1), zsh_text(below.text));
  return out;
}

/// Completes what follows `command`, whose sub-commands stand at the given word.
std::string zsh_function(const CommandText& command, int at) {
  std::string cases;
  for (const CommandText& below : command.commands)
    cases += fmt::format("      {})\n        {} ;;\n", below.name.substr(below.name.rfind(' ') + 1),
                         below.commands.empty() ? "_arguments" + zsh_arguments(below) : "_cavity_" + below.name);
  return fmt::format(
      "_cavity{0}() {{\n"
      "  local -a commands=({1})\n"
      "  if ((CURRENT == {2})); then\n"
      "    _describe command commands\n"
      "  else\n"
      "    case $words[{2}] in\n{3}    esac\n"
      "  fi\n"
      "}}\n\n",
      command.name.empty() ? "" : "_" + command.name, zsh_described(command), at, cases);
}

}  // namespace

std::string bash_completion(const CommandText& tree, const std::string& programs) {
  std::string commands, values, words;
  for (const CommandText* command : with_all_below(tree)) {
    if (!command->name.empty()) commands += fmt::format("{}'{}'", commands.empty() ? "" : "|", command->name);
    values += value_cases(*command);
    words += fmt::format("    '{}') options='{}' commands='{}' ;;\n", command->name, all_names(*command),
                         names_below(*command));
  }
  return fmt::format(
      "# bash completion for cavity, written from its options when it was built\n"
      "_cavity() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command= word options "
      "commands\n"
      "  # --solver=ep comes as three words\n"
      "  [[ $current == '=' ]] && current= before=\"= $before\"\n"
      "  [[ $before == '=' ]] && before=\"= ${{COMP_WORDS[COMP_CWORD - 2]}}\"\n"
      "  before=${{before#= }}\n"
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD - 1}}\"; do\n"
      "    case \"${{command:+$command }}$word\" in\n"
      "    {}) command=\"${{command:+$command }}$word\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$command:$before\" in\n{}  esac\n"
      "  case \"$command\" in\n{}  esac\n"
      "  if [[ $current == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
      "  elif [[ -n $commands ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$commands\" -- \"$current\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _cavity {}\n",
      commands, values, words, programs);
}

std::string zsh_completion(const CommandText& tree, const std::string& programs) {
  std::string out =
      fmt::format("#compdef {}\n# zsh completion for cavity, written from its options when it was built\n", programs);
  for (const CommandText& below : tree.commands)
    if (!below.commands.empty()) out += zsh_function(below, 3);
  return out + zsh_function(tree, 2) + "_cavity \"$@\"\n";
}

}  // namespace cavity::describe
