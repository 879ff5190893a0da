#include "cli/application.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <new>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "cavity/errors.hpp"
#include "cavity/report.hpp"
#include "cli/commands.hpp"
#include "cli/former_names.hpp"
#include "cli/options.hpp"
#include "cli/surroundings.hpp"
#include "cli/theory_command.hpp"
#include "cli/version.hpp"
#include "file/atomic_file.hpp"
#include "file/messages.hpp"

namespace cavity::cli {

namespace {

// CLI11 would only say that a subcommand is required.
void check_command(CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::string known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_subcommands([&](const CLI::App* nested) { return nested->get_name() == argv[1]; }).empty())
      throw UsageError(
          fmt::format("unknown command '{0}'; did you mean 'cavity {1} {0}'?", argv[1], command->get_name()));
  throw UsageError(fmt::format("unknown command '{}': use one of {}", argv[1], known));
}

/// The command that was asked for, `plan` of `theory plan`, and its whole name.
std::pair<const CLI::App*, std::string> innermost(const CLI::App& app) {
  const CLI::App* at = &app;
  std::string name;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    name += (name.empty() ? "" : " ") + at->get_name();
  }
  return {at, name};
}

/// "unknown option '--densty'; did you mean '--density'?", or nothing.
std::string nearest_option(const CLI::App& app, int argc, char** argv) {
  const auto [command, command_name] = innermost(app);
  if (command == &app) return "";
  std::vector<std::string> names;
  for (const CLI::Option* option : command->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    if (!word.starts_with("--") || std::find(names.begin(), names.end(), word) != names.end()) continue;
    const std::string near = nearest_names(word, names);
    return fmt::format(
        "unknown option {}{}", shown(word),
        near.find("did you mean") == std::string::npos ? fmt::format("; see cavity {} --help", command_name) : near);
  }
  return "";
}

/// Help and version, or what is wrong with the command line. CLI11 would not see that it cannot be written.
int answer(const CLI::App& app, const CLI::ParseError& error, const Fail& fail) {
  std::ostringstream out, err;
  const int code = app.exit(error, out, err);
  say(err.str());
  try {
    print(out.str());
  } catch (const ClosedPipe&) {
    return 0;
  } catch (const Error& failure) {
    return fail(failure.what(), failure.exit_code());
  }
  return code == 0 ? 0 : 2;
}

}  // namespace

void add_commands(CLI::App& app, const std::string& command_line, const Program& program, int& exit_code) {
  app.description(
      "Sparse Bayesian classification for data with far more features than samples.\n"
      "Exit codes: 0 ok, 2 usage, 3 bad input, 4 not converged, 5 input/output.");
  const bool as_json = (command_line + " ").find(" --json ") != std::string::npos;
  app.set_version_flag(
      "--version", [as_json] { return as_json ? version_json() : std::string(CAVITY_VERSION); },
      "Display program version information and exit; with --json the libraries and instructions, too");
  app.require_subcommand(1);
  add_fit_command(app, command_line, program.shards, exit_code);
  if (!program.fit_alone) {
    add_predict_command(app);
    add_validate_command(app, command_line);
    add_adapt_command(app);
    add_features_command(app);
    add_report_command(app);
    add_score_command(app);
    add_stability_command(app, command_line, exit_code);
    add_panel_command(app, command_line, exit_code);
    add_compare_command(app, command_line);
    add_simulate_command(app);
    add_reproduce_command(app, command_line);
    add_theory_command(app);
  }
  // After the commands, which would take it over.
  app.footer(
      "The manual: man cavity, and share/doc/cavity beside the installed program (docs/ of the source):\n"
      "start.md, ten minutes from a table to a list; numbers.md, how to read every number; faq.md, questions.");
}

namespace {

int run(int argc, char** argv, const Program& program, const Fail& fail) {
  if (!reserve_stack()) return fail("out of memory: there is no room to start in", 5);
  occupy_closed_streams();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit ends like a full disk: exit code 5, no partial file
  leave_no_temporary_files();
  tell_of_shortened_files();
  CLI::App app("", program.name);
  int exit_code = 0;
  std::string command_line = program.name;
  const bool speaks = program.shards.rank() == 0;
  std::vector<std::string> words = in_names_of_today({argv, argv + argc}, [&](const std::string& note) {
    if (speaks) say(fmt::format("cavity: {}\n", note));
  });
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  argv = pointers.data();
  for (int i = 1; i < argc; ++i) command_line += std::string(" ") + argv[i];
  add_commands(app, command_line, program, exit_code);
  try {
    check_command(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // What was misspelt is often what is missing now.
    const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
    const bool unknown = code == CLI::ExitCodes::ExtrasError || code == CLI::ExitCodes::RequiredError;
    if (const std::string hint = unknown ? nearest_option(app, argc, argv) : ""; !hint.empty()) return fail(hint, 2);
    if (!speaks) return error.get_exit_code() == 0 ? 0 : 2;
    return answer(app, error, fail);
  } catch (const ClosedPipe&) {
    return 0;
  } catch (const Error& error) {
    return fail(spell_options(error.what(), OptionStyle::flags), error.exit_code());
  } catch (const std::bad_alloc&) {
    return fail("out of memory: use fewer features, float32 .npy input, or a larger machine", 5);
  } catch (const std::length_error&) {
    return fail("out of memory: something is asked for that no memory holds", 5);
  } catch (const std::system_error& error) {  // of the standard library and of fmt; ours say more
    return fail(error.what(), 5);
  } catch (const std::exception& error) {
    return fail(fmt::format("a mistake in cavity itself, please report it: {}", error.what()), 1);
  }
  return exit_code;
}

}  // namespace

// What escapes run() found no memory before it could be caught there, or none to say what is wrong.
int run_application(int argc, char** argv, const Program& program, const Fail& fail) {
  try {
    return run(argc, argv, program, fail);
  } catch (...) {
    say_fixed(no_memory);
    return fail("", 5);
  }
}

}  // namespace cavity::cli
