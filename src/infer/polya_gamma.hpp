// The Polya-Gamma distribution PG(1, z), which turns a logistic likelihood into a Gaussian one:
//   1/(1 + exp(-u)) = (1/2) e^(u/2) E[exp(-w u^2/2)],  w ~ PG(1, 0),  and given u:  w ~ PG(1, u).
// Polson, Scott & Windle (2013); exact, by Devroye's alternating series.
#pragma once

#include "base/random.hpp"

namespace cavity {

/// Mean tanh(z/2)/(2z). Cost: about one proposal a draw, for any z.
double polya_gamma(double z, Random& random);

}  // namespace cavity
