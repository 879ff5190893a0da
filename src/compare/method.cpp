#include <fmt/format.h>

#include "cavity/compare.hpp"
#include "cavity/errors.hpp"

namespace cavity {

namespace {

void use_paper_settings(FitOptions& options) {
  options.preprocessing = paper_preprocessing();
  options.grid.paper = true;
  options.selection.by = Selection::loo_error;
  options.selection.recalibrate = false;
  options.intercept = false;
  options.solver.amp_share = paper_amp_share;
}

}  // namespace

PreprocessingOptions paper_preprocessing() {
  PreprocessingOptions out;
  out.transform = PreprocessingOptions::Choice::none;
  out.unit_variance = false;
  out.equal_rows = true;
  return out;
}

CompareMethod make_compare_method(const std::string& name, const MethodSettings& settings) {
  CompareMethod out;
  out.name = name;
  out.fit.threads = out.baseline_options.threads = 1;
  if (name == "sbc" || name == "sbc-ep") {
    out.fit.solver.kind = name == "sbc" ? Solver::amp : Solver::ep;
    if (name == "sbc" || settings.paper) use_paper_settings(out.fit);
    out.fit.grid.noise = settings.noise;
    out.fit.preprocessing.whiten = settings.whiten;
    return out;
  }
  if (name != "sbl" && name != "fda" && name != "fda-shrunk")
    throw UsageError(fmt::format("unknown method '{}': use some of sbc, sbc-ep, sbl, fda, fda-shrunk", name));
  out.baseline = parse_baseline(name);
  BaselineOptions& options = out.baseline_options;
  options.method = *out.baseline;
  if (settings.paper) options.preprocessing = paper_preprocessing();
  options.preprocessing.whiten = settings.whiten;
  if (options.method == Baseline::sbl) options.folds = 0;  // its probabilities need no scores of left-out samples
  return out;
}

}  // namespace cavity
