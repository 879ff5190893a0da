// Would more samples help? Random parts of the table, a quarter, a half and three quarters of its samples with the
// classes' shares, each judged by leave-one-out of the kernel of all features (assess/one_step.hpp): what its error e_k
// loses from part to part is taken for what the fit's would. The fit's own error e, known to an interval by all M
// samples:
//   n <= M   e + e_k(n) - e_k(M), at least nothing lost and at most that
//   n >  M   e - log2(n/M) D/2, D = e_k(M/2) - e_k(M) >= 0 what the last doubling has brought: the next brings no more,
//            since learning curves flatten, and no less than nothing. The interval is that of e, its lower end moved by
//            all of log2(n/M) D,
// to 2 M at most. Laws that go on falling, such as 1/n^1/2 through e_k, said .00 where .13 came (colon from its half).
#pragma once

#include <cstdint>
#include <span>

#include "assess/sample_groups.hpp"
#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "cavity/fit.hpp"

namespace cavity {

struct ForecastInput {
  const Matrix& kernel;      // of the features: samples x samples; its scale does not matter
  const Matrix& covariates;  // samples x any number, the intercept among them
  std::span<const std::uint32_t> classes;
  std::size_t class_count = 2;
  const SampleGroups* groups = nullptr;  // parts hold whole groups
};

/// Of the fit, by leave-one-out of all samples.
struct KnownError {
  double error = 0;
  Interval interval;    // of 80 %
  double guessing = 1;  // error of always guessing: no forecast is beyond it, unless the fit is
};

struct ForecastOptions {
  std::uint64_t seed = 1;
  double operations = 2e9;  // multiply-adds at most
};

/// The same for any number of threads. None, and why, where a quarter of the samples has fewer than three of a class,
/// or parts would cost more than the operations.
Forecast forecast_error(const ForecastInput& input, const KnownError& fit, const ForecastOptions& options,
                        ThreadPool& pool);

}  // namespace cavity
