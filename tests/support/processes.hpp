// Programs in the background: started without a shell, watched, and killed.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace cavity::test {

/// The words of `command`, the first being the program; what it says goes to the file `said`, and what it prints to
/// `printed`, where that is another one; it reads `given`.
inline pid_t start_process(const std::string& command, const std::string& said = "/dev/null",
                           const std::string& printed = "", const std::string& given = "/dev/null") {
  std::vector<std::string> words;
  std::istringstream in(command);
  for (std::string word; in >> word;) words.push_back(word);
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::dup2(::open(given.c_str(), O_RDONLY), STDIN_FILENO);
  const int out = ::open(said.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(out, stream);
  if (!printed.empty()) ::dup2(::open(printed.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), STDOUT_FILENO);
  ::execvp(pointers[0], pointers.data());
  ::_exit(127);
}

/// Looks every millisecond; false when it has not come true after two minutes, which is for ever.
inline bool wait_until(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// How it ended, as waitpid says; a process that goes on for two minutes is killed, and has no ending.
inline std::optional<int> ending_of(pid_t process) {
  int status = 0;
  if (wait_until([&] { return ::waitpid(process, &status, WNOHANG) != 0; })) return status;
  ::kill(process, SIGKILL);
  ::waitpid(process, &status, 0);
  return std::nullopt;
}

/// Processes that `parent` has started and that are called `name`.
inline std::vector<pid_t> children_of(pid_t parent, const std::string& name) {
  std::vector<pid_t> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream in(entry.path() / "stat");
    pid_t process = 0, its_parent = 0;
    std::string called, state;
    if (in >> process >> called >> state >> its_parent && its_parent == parent && called == "(" + name + ")")
      out.push_back(process);
  }
  return out;
}

}  // namespace cavity::test
