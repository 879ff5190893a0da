// The average over all halves of the samples without drawing one (Obuchi & Kabashima, J. Mach. Learn. Res. 20 (2019);
// Takahashi & Kabashima, J. Stat. Mech. (2020) 093402), for gamp with flips and a width. Every sample is in with
// probability 1/2; over that choice a sample's cavity field is N(D_mu, W_mu) and a feature's message N(h_l, S_l). With
// a, b of the activation at (D, V), averages E over the field by quadrature:
//   abar = E a/2,  bbar = E b/2,  a2 = E a^2/2
//   A_l = -sum x^2 bbar/N,  h_l = sum y x abar/sqrt(N) + mbar_l A_l,  S_l = sum x^2 (a2 - abar^2)/N
// and over the message: mbar = E m(h),  v = E dm/dh,  w = Var m(h), lambda from E of the mean inclusion = C;
//   V_mu = sum x^2 v/N,  W_mu = sum x^2 w/N,  D_mu = y x.mbar/sqrt(N) - V_mu abar_mu.
// Cost: an update is two of gamp's, and quadrature_points times its passes over samples and features. The fields are
// Gaussian over halves where features are many and independent; on correlated ones it need not be right, or settle.
#pragma once

#include <vector>

#include "infer/posterior.hpp"
#include "infer/problem.hpp"

namespace cavity {

/// Over halves, a feature's message is normal: what its inclusion is there follows from the pruning prior.
struct HalfAverage {
  std::vector<double> linear, deviation, precision;  // a feature: h, sqrt(S), A
  double log_odds = 0;
  int updates = 0;
  double residual = 0;  // relative change of the mean weights, for the whole of an update
  bool settled = false;
};

/// `whole` is the solution for all samples.
HalfAverage average_halves(const Problem& problem, const Posterior& whole, ThreadPool& pool);

/// Inclusion of feature l in a half whose message is `deviations` away from the mean one.
double inclusion_at(const HalfAverage& average, std::size_t l, double deviations);

}  // namespace cavity
