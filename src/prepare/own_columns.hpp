// Which inputs are this process's.
#pragma once

#include "prepare/prepare.hpp"

namespace cavity {

/// A table is dealt out by its columns, because a process may have read no others; one process has all, in the order of
/// the inputs.
ScaledColumns own_columns(const Inputs& inputs, const Shards& shards);

}  // namespace cavity
