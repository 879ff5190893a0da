// Intervals of figures of samples left out. Their predictions depend on each other: each is by almost the same samples,
// so that what is luck for one is luck for all, and where there is nothing to find the error spreads twice as wide as
// that of independent samples. How much there is known: labels dealt by chance give the mean e0 and the variance v0 of
// the kernel's error (assess/permutation.hpp), D0 = v0 M/(e0 (1 - e0)) times that of independent ones. Where all is
// clear nothing depends on luck, and between the two
//   D(e) = 1 + (D0 - 1) (e/e0)^(1/2),  no more than D0,
// e the true error: at errors of .3 to .5 the spread is still that of chance (simulated tables of 40, 60 and 150
// samples: sd .051 at .29 where chance gives .052 and independent samples .037). An interval holds all e that the
// figure does not contradict: |figure - e| <= z (e (1 - e) D(e)/M)^1/2; D = 1 gives Wilson's.
#pragma once

#include "assess/quantiles.hpp"
#include "cavity/accuracy.hpp"

namespace cavity {

/// A share of `count` samples (as many independent ones as know it as well, where samples weigh differently).
struct ShareFigure {
  double share = 0, count = 0;
};

/// What chance gives for it: mean and standard deviation over labels dealt anew, of `count` samples. A spread that is
/// no number or smaller than that of independent samples counts as theirs.
struct ChanceSpread {
  double mean = 0, sd = 0, count = 0;
};

/// D(e) for a figure whose best is 0 (an error).
double dependence(double error, const ChanceSpread& chance);

/// Of a share that is best at 0.
Interval dependent_interval(const ShareFigure& error, const ChanceSpread& chance, double z = z95);

/// Of an AUC, best at 1, of P positive and N negative samples: the same with Newcombe's variance instead of the
/// binomial, and chance's of independent samples (P + N + 1)/(12 P N).
struct AucFigure {
  double auc = 0, positives = 0, negatives = 0;
};
double auc_dependence(const AucFigure& figure, const ChanceSpread& chance);
Interval dependent_auc_interval(const AucFigure& figure, const ChanceSpread& chance, double z = z95);

}  // namespace cavity
