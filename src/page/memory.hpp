// The memory of a fit, said before it is asked for.
#pragma once

#include <cstddef>

#include "cavity/dataset.hpp"

namespace cavity::page {

/// Bytes that a fit of `data` needs at most, the data included: measured, and rounded up.
double bytes_of_fit(const Dataset& data);

}  // namespace cavity::page
