// Two classifiers to compare with, fitted and saved like our own: Fisher's discriminant and sparse Bayesian learning.
#pragma once

#include <cstdint>
#include <string>

#include "cavity/fit.hpp"

namespace cavity {

/// fda: Fisher's discriminant with the pseudo-inverse of the within-class scatter; fda_shrunk: with the Ledoit-Wolf
/// covariance in its place; sbl: automatic relevance determination (Tipping 2001).
enum class Baseline { sbl, fda, fda_shrunk };
/// "sbl", "fda", "fda-shrunk"; UsageError for an unknown name.
Baseline parse_baseline(const std::string& name);
std::string to_string(Baseline baseline);

struct BaselineOptions {
  Baseline method = Baseline::sbl;
  PreprocessingOptions preprocessing;
  bool intercept = true;       // sbl; Fisher's discriminant always has its threshold
  bool keep_variances = true;  // sbl: store what the predictive variance of a new sample needs
  int max_iterations = 0;      // sbl: 0 for its own limit
  int folds = 10;              // of the cross-validation behind the error; 0 leaves it out (it is NaN)
  unsigned threads = 0;        // 0: one a core
  std::uint64_t seed = 1;      // of the folds
};

/// The same Fit as cavity::fit gives, with one grid cell and these meanings:
///   loo         of the folds' left-out samples, everything but the preprocessing refitted
///   sbl         logistic activation of width 1; the Laplace posterior as Gaussian sites; density: the share of
///               relevant features; inclusion: how well the data determine a weight, 1 - precision * variance
///   fda         probit activation: weights scaled to mean square 1, the width fitted to the left-out scores;
///               inclusion: a feature's weight relative to the largest
Fit fit_baseline(Dataset data, const BaselineOptions& options);

}  // namespace cavity
