// The command line, whoever started it.
#pragma once

#include <functional>
#include <string>

#include "base/shards.hpp"

namespace CLI {
class App;
}

namespace cavity::cli {

/// Says what went wrong, if it is not empty, and returns the exit code.
using Fail = std::function<int(const std::string& message, int code)>;

/// A program of the family, and what it brings to `fit`: several processes, of which only the first writes and speaks
/// and which have no other command, or an accelerator.
struct Program {
  std::string name;
  const Shards& shards = Shards::whole();
  bool fit_alone = false;
};

/// All commands and options of a program. `exit_code` is set by what runs.
void add_commands(CLI::App& app, const std::string& command_line, const Program& program, int& exit_code);

/// Parses, runs, and returns the exit code. Where there is not even the memory to say what is wrong, a fixed sentence
/// is said and `fail` is called without words.
int run_application(int argc, char** argv, const Program& program, const Fail& fail);

}  // namespace cavity::cli
