// The ways cavity refuses. Each error carries the exit code that the command line ends with. A message names an option
// in back quotes, `max_iterations` or `solver=ep`: spell_options (report.hpp) puts it as a front end's users type it.
#pragma once

#include <stdexcept>
#include <string>

namespace cavity {

class Error : public std::runtime_error {
 public:
  Error(const std::string& message, int exit_code) : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

/// A request that makes no sense: an unknown name, a density outside (0, 1], sizes that do not fit.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(message, 2) {}
};

/// Data that cannot be used: the message names file, line, column and value where there is one, and what to do.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message, 3) {}
};

/// The operating system said no: cannot open, write, rename.
class IoError : public Error {
 public:
  explicit IoError(const std::string& message) : Error(message, 5) {}
};

}  // namespace cavity
