// Error on new samples: the teacher's label against the sign of the student's field,
//   error = 2 int_{z>0} Dz (1 - g_teacher(c z; s)),   c^2 + s = Ct,
// c = R/sqrt Q for the posterior mean (SBC), c = R/sqrt C for one draw from the posterior (Gibbs learning).
// Step: kappa + (1 - 2 kappa)/pi arccos(c/sqrt Ct); probit: arctan(sqrt(s + noise^2)/c)/pi; logistic: quadrature.
#pragma once

#include "theory/ensemble.hpp"

namespace cavity::theory {

double error_sbc(const Ensemble& ensemble, const Overlaps& overlaps);
double error_gibbs(const Ensemble& ensemble, const Overlaps& overlaps);

/// What a student that knows the teacher's weights is left with.
double best_error(const Ensemble& ensemble);

}  // namespace cavity::theory
