// Files that are either complete or not there.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "cavity/errors.hpp"

namespace cavity {

/// Whoever read our output has seen enough (cavity simulate ... | head): the command ends quietly, with exit code 0.
class ClosedPipe : public Error {
 public:
  ClosedPipe() : Error("the reader of standard output has gone", 0) {}
};

/// Calls `write` with a stream into a temporary file beside `path`, syncs it to disk and renames it over `path`;
/// whatever fails, `path` stays as it was and the temporary file is removed. "-" (standard output) and paths that are
/// no regular file (/dev/null, a pipe) are written directly. Throws IoError with the system's reason, ClosedPipe where
/// standard output is a pipe that nobody reads any more; passes on what `write` throws.
void write_file_atomically(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Throws the IoError that writing `path` would end with, as far as it can be known before: for long work whose result
/// would have no place to go.
void check_writable(const std::string& path);

/// For handlers of signals that end the process: the files that are being written go, and what they were to replace
/// stays. Neither locks nor allocates.
void remove_temporary_files();

}  // namespace cavity
