#include "describe/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <regex>

#include "cli/application.hpp"

namespace cavity::describe {

namespace {

OptionText text_of(const CLI::Option& option) {
  OptionText out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (out.names.empty()) out.names.push_back(option.get_name(true));
  if (option.get_items_expected_max() > 0) {
    out.value = option.get_type_name();
    out.value.resize(std::min(out.value.size(), out.value.find(':')));  // "FLOAT:FLOAT in [0 - 1]": a validator's words
  }
  out.text = option.get_description();
  out.group = option.get_group();
  out.required = option.get_required();
  if (!out.value.empty()) out.choices = listed_choices(out.text);
  return out;
}

CommandText text_of(const CLI::App& app, const std::string& name) {
  CommandText out{name, app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? out.arguments : out.options).push_back(text_of(*option));
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; }))
    out.commands.push_back(text_of(*below, name.empty() ? below->get_name() : name + " " + below->get_name()));
  return out;
}

void collect(const CommandText& tree, std::vector<const CommandText*>& out) {
  if (tree.commands.empty()) out.push_back(&tree);
  for (const CommandText& below : tree.commands) collect(below, out);
}

}  // namespace

CommandText command_tree() {
  CLI::App app;
  int exit_code = 0;
  cli::add_commands(app, "cavity", {"cavity"}, exit_code);
  return text_of(app, "");
}

std::vector<std::string> listed_choices(const std::string& text) {
  static const std::string word = R"(([a-z0-9][a-z0-9_-]*)(?: \([^)]*\))?)";
  static const std::regex list("^" + word + "((?:, " + word + ")*) or " + word + R"((?=[:; (]|$))");
  std::smatch found;
  if (!std::regex_search(text, found, list)) return {};
  std::vector<std::string> out;
  const std::string all = found.str();
  static const std::regex one("(?:^|, | or )" + word);
  for (std::sregex_iterator at(all.begin(), all.end(), one), end; at != end; ++at) out.push_back(at->str(1));
  return out;
}

std::vector<std::string> groups_of(const std::vector<OptionText>& options) {
  std::vector<std::string> out;
  for (const OptionText& option : options)
    if (std::find(out.begin(), out.end(), option.group) == out.end()) out.push_back(option.group);
  return out;
}

std::vector<const CommandText*> leaves(const CommandText& tree) {
  std::vector<const CommandText*> out;
  collect(tree, out);
  return out;
}

}  // namespace cavity::describe
