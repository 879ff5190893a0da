// The standard normal tail for many arguments at once (Highway, dispatched at run time).
#pragma once

#include <span>

namespace cavity::kernels {

/// out = ln(noise + (1 - 2 noise) Phi(z)), to 1e-13 relative from z = -1e100 to 1e100.
void log_normal_cdf(double noise, std::span<const double> z, std::span<double> out);

/// a and b of g = noise + (1 - 2 noise) Phi(mean/sqrt(variance)), to 1e-13 of their scale; with noise 0 only for
/// mean/sqrt(variance) above -10, below which z + phi/Phi cancels.
void normal_slopes(double noise, std::span<const double> mean, double variance, std::span<double> a,
                   std::span<double> b);

}  // namespace cavity::kernels
