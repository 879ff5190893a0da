// The files of a checkpoint, before and after a fit of several processes.
#pragma once

#include "base/shards.hpp"
#include "cavity/fit_options.hpp"

namespace cavity {

/// As the public ones, for one of several processes. A file of another number of processes is a UsageError.
void check_checkpoint(const CheckpointOptions& options, const Shards& shards);
/// That of one class of more than two, by its position: FILE.class1, FILE.class2, ...; none where there is none.
CheckpointOptions class_checkpoint(CheckpointOptions options, std::size_t of_class);
/// With those of classes. No process removes its part before all have called.
void remove_checkpoint(const CheckpointOptions& options, const Shards& shards);

}  // namespace cavity
