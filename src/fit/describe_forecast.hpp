// Would more samples help? Of the fit and of the kernel of all features (fit/forecast.hpp).
#pragma once

#include "cavity/fit.hpp"
#include "fit/describe_permutation.hpp"

namespace cavity {

/// After the fit's error and its interval are known.
Forecast describe_forecast(const FitTable& table, const TableKernel& kernel, const Fit& fit, const FitOptions& options,
                           ThreadPool& pool);

}  // namespace cavity
