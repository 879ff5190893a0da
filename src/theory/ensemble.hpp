// The teacher-student ensemble in the words of the formulas, and its order parameters.
#pragma once

#include "cavity/theory.hpp"
#include "model/activation.hpp"

namespace cavity::theory {

struct Ensemble {
  double ratio;            // alpha
  double teacher_density;  // Ct
  double density;          // C
  AnyActivation teacher, student;
};

/// Checks every range; UsageError with a sentence outside it.
Ensemble make_ensemble(const TheoryPoint& point);

/// R, Q and the two variances that differences of them would lose near perfect overlap. Both are computed as averages
/// of positive quantities, never as C - Q.
struct Overlaps {
  double overlap = 0;           // R
  double power = 0;             // Q
  double student_variance = 0;  // v = C - Q
  double teacher_variance = 0;  // s2 = Ct - R^2/Q

  /// R/sqrt(Q), the teacher's field per unit of the student's; 0 at the start, where R = Q = 0.
  double alignment() const;
};

inline Overlaps no_overlap(const Ensemble& ensemble) { return {0, 0, ensemble.density, ensemble.teacher_density}; }

/// Rhat and Qhat.
struct Conjugates {
  double overlap_hat = 0, power_hat = 0;
};

}  // namespace cavity::theory
