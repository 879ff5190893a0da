// The binary as a user runs it: arguments as typed into a shell, what came out, how it ended.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

#include "support/temp_files.hpp"

namespace cavity::test {

struct Outcome {
  int code;  // 128 + signal when it was killed
  std::string out, err;
};

/// A shell command; `cavity` in it is the binary under test.
inline Outcome run_shell(const std::string& command) {
  const TempDir folder;
  const std::string script = "cavity() { \"" CAVITY_BINARY "\" \"$@\"; }\n{ " + command + "\n} </dev/null >out 2>err";
  const std::string whole = "cd '" + folder.path(".") + "' && . ./script";
  folder.write("script", script);
  const int status = std::system(whole.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, read_file(folder.path("out")), read_file(folder.path("err"))};
}

inline Outcome run_cavity(const std::string& arguments) { return run_shell("cavity " + arguments); }

inline void expect_ok(const Outcome& outcome, const std::string& what) {
  EXPECT_EQ(outcome.code, 0) << what << "\n" << outcome.err;
}

/// Refused with this exit code, nothing on standard output and all the telling parts in the message.
inline void expect_refusal(const std::string& arguments, int code, std::initializer_list<std::string> parts) {
  const Outcome outcome = run_cavity(arguments);
  EXPECT_EQ(outcome.code, code) << arguments << "\n" << outcome.err;
  EXPECT_EQ(outcome.out, "") << arguments;
  for (const auto& part : parts)
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " not in: " << outcome.err;
}

/// Runs with --json added and parses what it prints.
inline nlohmann::ordered_json run_json(const std::string& arguments) {
  const Outcome outcome = run_cavity(arguments + " --json");
  expect_ok(outcome, arguments);
  return nlohmann::ordered_json::parse(outcome.out, nullptr, false);
}

/// What the JSON of a fit of two classes says of the only question, and of its heaviest cell.
inline const nlohmann::ordered_json& question(const nlohmann::ordered_json& fit) { return fit.at("questions").at(0); }
inline const nlohmann::ordered_json& chosen(const nlohmann::ordered_json& fit) {
  return question(fit).at("grid").at(question(fit).at("chosen").get<std::size_t>());
}

}  // namespace cavity::test
