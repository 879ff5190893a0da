// The files of a checkpoint, before and after a fit of several processes.
#pragma once

#include "base/shards.hpp"
#include "cavity/fit_options.hpp"

namespace cavity {

/// As the public ones, for one of several processes. A file of another number of processes is a UsageError.
void check_checkpoint(const CheckpointOptions& options, const Shards& shards);
/// That of one of several questions: FILE.class1, FILE.class2, ...; of the only one FILE; none where there is none.
CheckpointOptions question_checkpoint(CheckpointOptions options, std::size_t question, std::size_t questions);
/// With those of questions. No process removes its part before all have called.
void remove_checkpoint(const CheckpointOptions& options, const Shards& shards);

}  // namespace cavity
