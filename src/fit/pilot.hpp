// How a table is prepared decides more than the solver does on some tables, and leave-one-out can tell: a few
// preparations are tried on a few cells, and the usual one is left only for a clear gain.
#pragma once

#include "assess/sample_groups.hpp"
#include "base/shards.hpp"
#include "base/threads.hpp"
#include "cavity/fit_options.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

struct PilotSamples {
  std::span<const std::int8_t> labels;
  const SampleGroups* groups = nullptr;  // left out together; none: each alone
};

/// Takes the data as prepare() does. Goes on to sparse cells only where the other preparation has gained in a dense
/// one. Tries nothing where all columns vary alike, where the user has said how to prepare, where EP does not run, on
/// tables with fewer features than samples, whose features rarely are of one kind, and on those too large to hold
/// twice. The notes say what was tried. The values as measured are handed on beside ranks or asinh, for sampled cells.
Prepared prepare_by_pilot(Dataset&& data, const PilotSamples& samples, const FitOptions& options, ThreadPool& pool,
                          const Shards& shards);

}  // namespace cavity
