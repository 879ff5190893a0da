// describe man|markdown, describe bash|zsh PROGRAMS: writes one form of the command tree to standard output. A tool of
// the build.
#include <cstdio>
#include <string>

#include "describe/describe.hpp"

int main(int argc, char** argv) {
  using namespace cavity::describe;
  const std::string form = argc == 2 || argc == 3 ? argv[1] : "", programs = argc == 3 ? argv[2] : "cavity";
  const CommandText tree = command_tree();
  std::string out;
  if (form == "man")
    out = man_page(tree, CAVITY_VERSION);
  else if (form == "bash")
    out = bash_completion(tree, programs);
  else if (form == "zsh")
    out = zsh_completion(tree, programs);
  else if (form == "markdown")
    out = reference_page(tree);
  if (out.empty()) {
    std::fputs("usage: describe man|markdown, describe bash|zsh PROGRAMS\n", stderr);
    return 2;
  }
  return std::fputs(out.c_str(), stdout) < 0 || std::fflush(stdout) != 0 ? 5 : 0;
}
