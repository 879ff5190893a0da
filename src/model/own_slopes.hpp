// a and b of an activation (activation.hpp) for many messages that each have a variance of their own.
#pragma once

#include "model/activation.hpp"

namespace cavity {

/// a[i] and b[i] at (mean[i], variance[i]), vectorised where g has a closed form.
void own_slopes(const AnyActivation& activation, std::span<const double> mean, std::span<const double> variance,
                std::span<double> a, std::span<double> b);

}  // namespace cavity
