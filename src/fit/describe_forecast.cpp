#include "fit/describe_forecast.hpp"

#include "assess/guessing.hpp"
#include "fit/forecast.hpp"
#include "fit/know_dependence.hpp"

namespace cavity {

Forecast describe_forecast(const FitTable& table, const TableKernel& kernel, const Fit& fit, const FitOptions& options,
                           ThreadPool& pool) {
  if (!kernel.why_none.empty()) return {{}, kernel.why_none};
  if (!options.class_prior.empty()) return {{}, "parts of the table have its classes' shares, not those of the prior"};
  if (fit.permutation.not_shown())
    return {{}, "the features are not shown to tell the classes apart: there is nothing to carry on"};
  const ForecastInput input{kernel.kernel, kernel.covariates, table.samples.classes, table.samples.class_count(),
                            table.together()};
  const double guessing = best_guess(table.samples.counts, {}).error;
  return forecast_error(input, {fit.loo.error, error_interval(fit, z80), guessing}, {options.solver.seed}, pool);
}

}  // namespace cavity
