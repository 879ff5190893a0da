#include "report/verdict.hpp"

#include <fmt/format.h>

#include "assess/guessing.hpp"

namespace cavity {

std::string verdict_words(const Fit& fit) {
  if (fit.loo.folds > 0) return "";
  const PermutationFit& p = fit.permutation;
  const double guessing = best_guess(fit.data.class_counts, fit.data.class_prior).error;
  const bool beside = fit.covariates_alone.has_value();
  const std::string error =
      fmt::format("leave-one-out error {:.1f} % (95 % {:.1f} to {:.1f} %), guessing {:.1f} %{}", 100 * fit.loo.error,
                  100 * fit.loo.error_interval.low, 100 * fit.loo.error_interval.high, 100 * guessing,
                  beside ? fmt::format(", covariates alone {:.1f} %", 100 * fit.covariates_alone->error) : "");
  if (!p.known()) return fmt::format("not tested against guessing ({}); {}", p.why_none, error);
  const std::string by =
      fmt::format("p = {:.2g} by {} permutations of the labels (all together {:.2g}, the strongest alone {:.2g}); {}",
                  p.p, p.permutations, p.p_together, p.p_strongest, error);
  return fmt::format("{} {}: the features {} the classes apart{}, {}",
                     p.shown() ? "better than" : "not shown to be better than",
                     beside ? "the covariates alone" : "guessing", p.shown() ? "tell" : "are not shown to tell",
                     beside ? " beyond them" : "", by);
}

std::string not_shown_words(const Model& model) {
  if (!model.tested || model.tested->shown()) return "";
  return fmt::format(
      "the features are not shown to tell the classes apart{} (p = {:.2g} by {} permutations of the labels)",
      model.preprocessing.covariates.empty() ? "" : " beyond the covariates", model.tested->p,
      model.tested->permutations);
}

std::string forecast_words(const Fit& fit) {
  if (!fit.forecast.known()) return "";
  const ForecastPoint& last = fit.forecast.points.back();
  return fmt::format("with twice the samples ({:.0f}): error {:.1f} %, 80 % interval {:.1f} to {:.1f} %", last.samples,
                     100 * last.error, 100 * last.low, 100 * last.high);
}

}  // namespace cavity
