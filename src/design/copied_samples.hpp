// Some samples of a design, copied: where the same products are asked for again and again, and the others would be
// multiplied in vain (design/some_samples.hpp copies nothing).
#pragma once

#include "design/dense_design.hpp"

namespace cavity {

/// The entries of these samples, rounded to single precision: samples x features of them in memory.
FeatureMatrix copied_samples(const Design& design, std::span<const std::size_t> which);

}  // namespace cavity
