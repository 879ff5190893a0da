#include <fmt/format.h>

#include "describe/describe.hpp"

namespace cavity::describe {

namespace {

// Hyphens must stay hyphens for whoever copies an option, and a line must not begin as a request of roff does.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string entry(const OptionText& option) {
  return fmt::format(".TP\n.B {}\n{}{}\n", roff(spelled(option)), roff(option.text),
                     option.required ? " (required)" : "");
}

std::string options_of(const CommandText& command) {
  std::string out;
  for (const OptionText& argument : command.arguments) out += entry(argument);
  for (const std::string& group : groups_of(command.options)) {
    std::string entries;
    for (const OptionText& option : command.options)
      if (option.group == group && option.names.back() != "--help") entries += entry(option);
    if (!entries.empty()) out += fmt::format(".PP\n.I {}\n{}", roff(group), entries);
  }
  return out;
}

}  // namespace

std::string man_page(const CommandText& tree, const std::string& version) {
  std::string out = fmt::format(".TH CAVITY 1 \"\" \"cavity {}\" \"User Commands\"\n", version);
  out += ".SH NAME\ncavity \\- sparse Bayesian classification for data with far more features than samples\n";
  out += ".SH SYNOPSIS\n";
  for (const CommandText* command : leaves(tree)) out += fmt::format(".B {}\n.br\n", roff(usage(*command)));
  out += fmt::format(
      ".SH DESCRIPTION\n{}\n.PP\nData go to standard output, messages to standard error. Every command has\n.BR "
      "\\-\\-help .\n",
      roff(tree.text));
  out += ".SH COMMANDS\n";
  for (const CommandText* command : leaves(tree)) {
    out += fmt::format(".SS {}\n{}\n{}", roff("cavity " + command->name), roff(command->text), options_of(*command));
    if (!command->footer.empty()) out += fmt::format(".PP\n{}\n", roff(command->footer));
  }
  out +=
      ".SH EXIT STATUS\n.TP\n.B 0\nok\n.TP\n.B 2\nusage: an unknown option, a value outside its range\n.TP\n.B 3\n"
      "bad input: the message names file, line, column and value where there is one, and what to do\n.TP\n.B 4\n"
      "not converged: what came closest is still written and printed\n.TP\n.B 5\ninput or output failed\n";
  out +=
      ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours\n.TP\n.B CAVITY_DATA\nfolder of the data sets that\n"
      ".B cavity reproduce\nuses\n";
  out += ".SH SEE ALSO\n" + roff(tree.footer) + "\n";
  return out;
}

}  // namespace cavity::describe
