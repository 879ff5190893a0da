// Left-out predictions depend on each other: standard errors and intervals of what is said of them, by what the same
// figures of the kernel spread under permutation (assess/dependent_interval.hpp).
#pragma once

#include "assess/dependent_interval.hpp"
#include "cavity/fit.hpp"

namespace cavity {

/// Widens those of the error, and of two classes those of sensitivity, specificity and AUC. Where the test does not
/// show that the features tell the classes apart, the intervals of error and AUC reach to always guessing, with
/// covariates that of the error to what these say alone: they exclude nothing that the test does not. As they are where
/// there was no test.
void know_dependence(Fit& fit);

/// Of the error, after the above.
Interval error_interval(const Fit& fit, double z);

}  // namespace cavity
