// The rules of a default fit, a switch each: what pays for them is measured by experiments/ablation, the only program
// that can turn one off. It is built with CAVITY_ABLATION; everywhere else all rules are on, and a switch costs
// nothing.
#pragma once

namespace cavity {

struct Policies {
  // prepare
  bool pilot = true;       // a second preparation is tried; off: the usual one
  bool both_forms = true;  // sampled cells see features as measured, too
  // search
  bool scouting = true;        // all columns of noise in one row, the best followed; off: the first column alone
  bool loose = true;           // solved to the end only where they carry weight
  bool served_columns = true;  // several classes: the columns that served the first
  // trust and mix
  bool few_by_folds = true;     // cells that keep few features earn their leave-one-out by folds
  bool gamp_by_folds = true;    // gamp's, too
  bool stacking = true;         // off: weights by evidence
  bool smallest_weight = true;  // lighter cells are dropped
  bool cross_fitting = true;    // of the weights, for what is said of samples left out
  bool more_draws = true;       // of the sampler; off: half of them
  // calibrate
  bool others_recalibrated = true;  // what is not sampled, before it is weighed against what is
  bool nothing = true;              // a share of "no feature matters"
  bool together = true;             // several classes: all at once beside each against the rest
  bool coupled_joining = true;      // several classes: each score may speak of all classes
};

#ifdef CAVITY_ABLATION
inline Policies& policies() {
  static Policies of_this_run;
  return of_this_run;
}
#else
constexpr Policies policies() { return {}; }
#endif

}  // namespace cavity
