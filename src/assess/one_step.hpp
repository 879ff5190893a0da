// What a kernel adds to guessing, left out in closed form: EP's first update from the constant field that says what the
// classes' shares say, with the precision that samples' sites have on average there. For one class against the rest,
// u_mu in {0, 1}, p its share, m = Phi^-1(p), phi = the normal density at m, c = p (1 - p)/phi^2, width 1, f ~ N(0, k
// K):
//   sites of variance s = c (1 + k) - k about sqrt(1 + k) (m + t/phi), t = u - p,
//   W = (k/s K + 1 + Z C Z^T)^-1,   left out  e_g = (W_gg)^-1 (W t)_g,   v = diag (W_gg)^-1,
//   field D = sqrt(1 + k) (m + (t - e)/phi),   V = s (v - 1),   log loss -ln Phi(+-D/sqrt(1 + V)),
// g the sample, or all that are left out with it; Z the covariates with a prior so wide (C) that they are next to free.
// K is the features' alone and the same for all labellings: A = (k/s K + 1)^-1 once, O(samples^3); then
//   W = A - B (C^-1 + Z^T B)^-1 B^T,  B = A Z,
// costs O(samples^2 (covariates + classes)) a labelling. Beside EP at its fixed point, same K: log losses within .01
// nats, and as often a p below .05 (14 to 60 samples of gene tables and of planted labels, one of 20 to one of 2
// positive).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"
#include "base/matrix.hpp"
#include "base/threads.hpp"

namespace cavity {

struct Labelling {
  const Matrix& covariates;                // samples x covariates; the intercept among them
  std::span<const std::uint32_t> classes;  // of each sample, below `count`
  std::size_t count;
  const SampleGroups* groups;  // of the rows of the kernel; none: each alone
};

/// Of samples left out. Error: the class of the largest probability, ties one half. The others of two classes only, the
/// second the positive one.
struct LeftOutFigures {
  double log_loss = 0, error = 0, auc = 0, sensitivity = 0, specificity = 0;
};

class OneStep {
 public:
  /// The kernel's mean diagonal is 1. What `labelled` refers to must outlive this.
  OneStep(const Matrix& kernel, const Labelling& labelled, ThreadPool& pool);

  /// A list: row mu of the kernel has the class and covariates of sample list[mu]. A list's mean log loss over samples,
  /// of more than two classes the sum of each against the rest. The same bits whatever lists come with it.
  std::vector<double> log_losses(std::span<const std::vector<std::size_t>> sources, ThreadPool& pool) const;

  /// The same with all figures.
  std::vector<LeftOutFigures> figures(std::span<const std::vector<std::size_t>> sources, ThreadPool& pool) const;

  /// Multiply-adds, of the inverse and of a list.
  static double operations_once(std::size_t samples);
  static double operations_each(const Labelling& labelled);

 private:
  struct Columns {               // of one list
    Matrix covariates, targets;  // Z; t, a column a class against the rest
    std::vector<double> share;   // p
  };
  Columns columns(std::span<const std::size_t> source) const;
  struct LeftOut {
    Matrix error;              // e, a column a class
    Eigen::VectorXd variance;  // v
  };
  LeftOut leave_out(const Matrix& targets, const Matrix& b, const Matrix& gain) const;
  /// What is said of the samples of a list when left out.
  struct Judged {
    Matrix score;  // samples x columns: the probit of the column's class
    double log_loss = 0;
  };
  Judged judge(const Columns& list, const Matrix& product) const;
  template <class Out, class Take>
  std::vector<Out> each_list(std::span<const std::vector<std::size_t>> sources, ThreadPool& pool,
                             const Take& take) const;
  LeftOutFigures figures_of(const Judged& judged, std::span<const std::size_t> source) const;

  Labelling labelled_;
  double noise_;    // s, of more than two classes the mean of theirs
  Matrix inverse_;  // A
};

}  // namespace cavity
