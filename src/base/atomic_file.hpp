// Files that are either complete or not there.
#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace cavity {

/// Calls `write` with a stream into a temporary file beside `path`, syncs it to disk and renames it over `path`;
/// whatever fails, `path` stays as it was and the temporary file is removed. "-" (standard output) and paths that are
/// no regular file (/dev/null, a pipe) are written directly. Throws IoError with the system's reason; passes on what
/// `write` throws.
void write_file_atomically(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace cavity
