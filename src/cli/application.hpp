// The command line, whoever started it.
#pragma once

#include <functional>
#include <string>

#include "base/shards.hpp"

namespace cavity::cli {

/// Says what went wrong and returns the exit code.
using Fail = std::function<int(const std::string& message, int code)>;

/// Parses, runs, and returns the exit code. With `shards` (cavity-mpi) there is only `fit`, and only the first process
/// writes and speaks.
int run_application(int argc, char** argv, const Shards* shards, const Fail& fail);

}  // namespace cavity::cli
