#include "report/validation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "file/messages.hpp"
#include "report/json_parts.hpp"
#include "report/measured_report.hpp"
#include "report/text_parts.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_shown = 10;  // subgroups, outliers

std::string percent(double share) { return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "-"; }

std::string percents(const Interval& i) { return fmt::format("{:.1f} to {:.1f} %", 100 * i.low, 100 * i.high); }

std::string counts_text(const Validation& v, const std::vector<std::size_t>& counts) {
  std::string out;
  for (std::size_t k = 0; k < counts.size(); ++k)
    out += fmt::format("{}{} {}", k > 0 ? ", " : "", counts[k], plain(v.class_names[k]));
  return out;
}

std::string promised_text(const Validation& v) {
  const SiteFigures& all = v.all;
  std::string out = fmt::format("{:<22}{:>26}{:>30}\n", "", "came", "promised (left out)");
  const auto row = [&](const char* name, const std::string& came, const std::string& promised) {
    out += fmt::format("{:<22}{:>26}{:>30}\n", name, came, promised);
  };
  const auto& p = v.promised;
  row("error", fmt::format("{} ({})", percent(all.error.value), percents(all.error.interval)),
      p ? fmt::format("{} ({})", percent(p->error), percents(p->error_interval)) : "not known");
  row("log loss", fmt::format("{:.3f} +- {:.3f}", all.log_loss.value, all.log_loss.se),
      p ? fmt::format("{:.3f}", p->log_loss) : "");
  row("Brier score", fmt::format("{:.3f} +- {:.3f}", all.brier.value, all.brier.se),
      p ? fmt::format("{:.3f}", p->brier) : "");
  return out;
}

std::string class_text(const ClassFigures& c, std::size_t classes) {
  std::string out = classes == 2 ? fmt::format("\npositive class: {}\n", plain(c.name))
                                 : fmt::format("\n{} against the others\n", plain(c.name));
  if (c.accuracy) {
    const Accuracy& a = *c.accuracy;
    out += fmt::format("sensitivity {} ({}), specificity {} ({}), AUC {:.3f} ({:.3f} to {:.3f})\n",
                       percent(a.sensitivity), percents(a.sensitivity_interval), percent(a.specificity),
                       percents(a.specificity_interval), a.auc, a.auc_interval.low, a.auc_interval.high);
  } else {
    out += "sensitivity, specificity and AUC need samples of it and of others\n";
  }
  out += fmt::format(
      "calibration in the large {:+.2f} ({:+.2f} to {:+.2f}; 0: as often as stated), slope {:.2f} ({:.2f} to {:.2f}; "
      "below 1: too sure)\n",
      c.in_the_large.value, c.in_the_large.interval.low, c.in_the_large.interval.high, c.slope.value,
      c.slope.interval.low, c.slope.interval.high);
  out += fmt::format("{:>10}{:>10}{:>20}\n", "stated", "came", "of samples");
  for (const CurveBin& bin : c.curve)
    out += fmt::format("{:>10.3f}{:>10.3f}{:>20}\n", bin.stated, bin.came, bin.samples);
  out += fmt::format("{:>10}{:>14}{:>14}{:>12}{:>12}{:>14}{:>12}\n", "threshold", "sensitivity", "specificity", "PPV",
                     "NPV", "net benefit", "treat all");
  for (const DecisionRow& d : c.decisions)
    out += fmt::format("{:>10.3g}{:>14}{:>14}{:>12}{:>12}{:>14.3f}{:>12.3f}\n", d.threshold, percent(d.sensitivity),
                       percent(d.specificity), percent(d.positive_value), percent(d.negative_value), d.net_benefit,
                       d.treat_all);
  return out;
}

std::string drift_text(const Validation& v) {
  if (!v.drift)
    return "\nwhether the samples look like the training ones is not known: the model has no training rows\n";
  const Drift& d = *v.drift;
  std::string out = "\ndo the samples look like the training ones?\n";
  out +=
      fmt::format("outside the span of the training rows: {} of a sample's square (training samples, left out: {})\n",
                  percent(d.outside), percent(d.training_outside));
  out += fmt::format("features have moved by {:.2f} training deviations (root mean square; {:.2f} where nothing has)",
                     d.typical_shift, d.expected_shift);
  std::string worst;
  for (const FeatureShift& s : d.worst)
    worst += fmt::format("{}{} {:+.1f}", worst.empty() ? "" : ", ", short_name(s.name), s.deviations);
  out += worst.empty() ? "\n" : fmt::format(", most {}\n", worst);
  if (std::isfinite(d.field_shift))
    out += fmt::format(
        "log odds have moved by {:+.2f} of their deviations among training samples left out, and are {:.2f} "
        "times as spread\n",
        d.field_shift, d.field_spread);
  if (d.outliers.empty()) return out + "no sample lies farther outside than any training sample did\n";
  std::vector<std::string> names;
  for (const std::size_t i : d.outliers) names.push_back(v.sample_names[i]);
  return out + fmt::format("{} farther outside than any training sample did: {}\n",
                           counted(names.size(), "sample") + (names.size() == 1 ? " lies" : " lie"),
                           shown_names(names, most_shown));
}

std::string subgroup_text(const Validation& v, const std::string& subgroup) {
  if (v.by.empty()) return "";
  std::string out = fmt::format("\n{:<18}{:>10}{:>12}{:>22}{:>18}\n", subgroup.empty() ? "group" : short_name(subgroup),
                                "samples", "error", "", "log loss");
  for (std::size_t i = 0; i < std::min(most_shown, v.by.size()); ++i) {
    const SiteFigures& s = v.by[i];
    out += fmt::format("{:<18}{:>10}{:>12}{:>22}{:>18}\n", short_name(s.name), s.samples, percent(s.error.value),
                       fmt::format("({})", percents(s.error.interval)),
                       fmt::format("{:.3f} +- {:.3f}", s.log_loss.value, s.log_loss.se));
  }
  if (v.by.size() > most_shown) out += fmt::format("and {} more, in `by` of the figures\n", v.by.size() - most_shown);
  return out;
}

std::string findings_text(const Validation& v, OptionStyle style) {
  if (v.findings.empty()) return "\nnothing that was looked at speaks against what the fit promised\n";
  std::string out = "\n";
  for (const Finding& f : v.findings)
    out += fmt::format("warning: {}: {}; {}\n", f.name, spell_options(f.text, style), spell_options(f.cure, style));
  return out;
}

}  // namespace

std::string validation_text(const Validation& v, const std::string& subgroup, OptionStyle style) {
  std::string out =
      fmt::format("{} with a label ({})", counted(v.all.samples, "sample"), counts_text(v, v.all.class_counts));
  if (v.unlabelled > 0) out += fmt::format(", {} without", v.unlabelled);
  out += "\n";
  if (v.promised && !v.promised->class_counts.empty())
    out += fmt::format("fitted on {}\n", counts_text(v, v.promised->class_counts));
  out += fmt::format("\n{}", promised_text(v));
  for (const ClassFigures& c : v.classes) out += class_text(c, v.class_names.size());
  return out + subgroup_text(v, subgroup) + drift_text(v) + findings_text(v, style);
}

}  // namespace cavity
