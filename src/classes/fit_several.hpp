// A fit of more than two classes: one preparation, one solution for each class against the rest, and a joining.
#pragma once

#include "base/shards.hpp"
#include "cavity/fit.hpp"

namespace cavity {

/// Classes are solved side by side, a thread each, where the table is dense and small enough that this costs no memory
/// to speak of; else one after the other by all threads. The answer is the same. The sparsest rows of the default grid,
/// whose places are sampled, are left out: a class would cost three times as much, and none of the tables tried gave
/// them weight.
Fit fit_several(Dataset data, const FitOptions& options, const Shards& shards);

}  // namespace cavity
