#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cavity/errors.hpp"
#include "cli/theory_command.hpp"

int main(int argc, char** argv) {
  CLI::App app("Sparse Bayesian classification", "cavity");
  app.require_subcommand(1);
  cavity::add_theory_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const cavity::Error& error) {
    std::fflush(stdout);
    fmt::print(stderr, "cavity: {}\n", error.what());
    return error.exit_code();
  }
  return 0;
}
