// The files of a checkpoint, before and after a fit of several processes.
#pragma once

#include "base/shards.hpp"
#include "cavity/fit_options.hpp"

namespace cavity {

/// As the public ones, for one of several processes. A file of another number of processes is a UsageError.
void check_checkpoint(const CheckpointOptions& options, const Shards& shards);
/// No process removes its part before all have called.
void remove_checkpoint(const CheckpointOptions& options, const Shards& shards);

}  // namespace cavity
