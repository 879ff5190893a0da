// A fit as a person reads it, as a program does, and as one web page; and options spelled as a front end's users type
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cavity/fit.hpp"
#include "cavity/stability.hpp"

namespace cavity {

/// Texts of the library name an option in back quotes, `max_iterations` or `solver=ep`.
enum class OptionStyle {
  flags,   // --max-iterations, --solver ep
  python,  // max_iter, solver='ep': the parameters of the estimator
};
/// What stands in back quotes and is no option stays as it is.
std::string spell_options(std::string_view text, OptionStyle style);
/// In notes and warnings.
Fit spell_options(Fit fit, OptionStyle style);

/// Class counts, what was read and dropped, the grid as a small table, the chosen point, leave-one-out error with its
/// standard error, the `top` most included features, warnings.
std::string fit_text(const Fit& fit, bool colour = false, std::size_t top = 10);

struct FitJsonOptions {
  bool loo = false;                     // every sample's leave-one-out probability
  std::size_t features = 10;            // how many of the most included
  bool resources = false;               // what was used: not part of the answer, which is the same for any threads
  bool page = false;                    // what the page shows beside: with loo what pushed each sample
  int indent = -1;                      // spaces a level; negative: all on one line
  std::optional<std::uint64_t> seed{};  // of the fit, where it is known
};
/// One object (docs/cavity.schema.json). Names are bytes of a file; what is not UTF-8 becomes a replacement character.
std::string fit_json(const Fit& fit, const FitJsonOptions& options = {});

/// What a model keeps of its fit, as fit_json shows it, whichever version wrote the file.
std::string model_summary(const Model& model);

/// A line a sample, sample,truth,probability,label,reliable: what leave-one-out says of it. Of more than two classes
/// sample,truth,label,probability, p_CLASS of every class, reliable.
std::string loo_csv(const Fit& fit);

/// The error of the fit, the `top` features that halves select most often, groups of correlated ones, the bound on
/// false ones and what it assumes.
std::string stability_text(const Stability& stability, std::size_t top = 10);
/// One object (docs/cavity.schema.json), with all features that any half selects or that are among the `top` most
/// included.
std::string stability_json(const Stability& stability, std::size_t top = 10);
/// A line a feature: feature,inclusion,mean,sd,share.
std::string stability_csv(const Stability& stability);

/// What was read, and how it was asked for.
struct ReportContext {
  std::string file, command;
  FitOptions options;
};
/// A self-contained HTML page; its options are spelled as flags. UsageError when this build has no page.
std::string fit_page(const Fit& fit, const ReportContext& context);

/// The page of its fit with a section on stability.
std::string stability_page(const Stability& stability, const ReportContext& context);

/// False when there was no npm to build the page.
bool has_report_page();
void require_report_page();  // UsageError that says so

}  // namespace cavity
