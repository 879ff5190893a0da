// The lengths of prepared rows: each to sqrt(inputs) by its own, or their mean square to inputs by one factor.
#pragma once

#include "prepare/prepare.hpp"

namespace cavity {

/// Once the columns stand: fits the common scale, or remembers that each row has its own.
void scale_rows(bool equal_rows, Prepared& out, ThreadPool& pool, const Shards& shards = Shards::whole());

/// Of new rows.
std::vector<double> scales_of_rows(const Preprocessing& preprocessing, const Inputs& inputs, ThreadPool& pool);

}  // namespace cavity
