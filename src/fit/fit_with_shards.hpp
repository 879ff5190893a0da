// A fit whose features are dealt out to several processes (cavity-mpi). All call alike, and all get the same answer.
#pragma once

#include "base/shards.hpp"
#include "cavity/fit.hpp"

namespace cavity {

Fit fit(Dataset data, const FitOptions& options, const Shards& shards);

}  // namespace cavity
