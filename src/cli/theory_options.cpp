#include "cli/theory_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cavity/errors.hpp"
#include "file/atomic_file.hpp"

namespace cavity {

const char* const plan_assumptions =
    "Assumed: independent features of equal variance, each sample drawn alike, a fraction `density` of the features\n"
    "carrying Gaussian weights, labels blurred by `noise`, and a classifier that knows density and noise (a matched\n"
    "prior). Real data differs both ways. The plan is PESSIMISTIC where features are correlated and the signal lies\n"
    "along the correlations (fewer effective features to learn) or where a few features are far stronger than the "
    "rest.\n"
    "It is OPTIMISTIC where correlated features blur which ones matter, where density and noise must be learnt too,\n"
    "where samples come in batches or groups, and where the labels do not follow one linear rule. Take the answer as "
    "a\n"
    "guide to the order of magnitude and to how the error falls, not as a guarantee.";

namespace {

double required(const std::optional<double>& value, const char* option) {
  if (!value) throw UsageError(fmt::format("{} is missing: give a value for it", option));
  return *value;
}

constexpr int curve_points = 25;

// From far before the answer to somewhat after it, in equal ratios, whole samples only.
std::vector<double> curve_samples(double samples) {
  std::vector<double> out;
  for (int i = 0; i < curve_points; ++i) {
    const double m = std::round(samples / 30 * std::pow(150.0, static_cast<double>(i) / (curve_points - 1)));
    if (m >= 1 && (out.empty() || m > out.back())) out.push_back(m);
  }
  return out;
}

}  // namespace

void PointOptions::add_to(CLI::App& command) {
  command.add_option("--ratio", ratio, "samples / features (no default)");
  command.add_option("--noise", noise, "step: probability of a flipped label; probit, logistic: width (no default)");
  command.add_option("--teacher", teacher,
                     "teacher's density: the fraction of features that truly matter (no default)");
  command.add_option("--density", density, "student's density (default: the teacher's)");
  command.add_option("--activation", activation, "step, probit or logistic (default: step)");
  command.add_option("--teacher-activation", teacher_activation, "teacher's activation (default: the student's)");
  command.add_option("--teacher-noise", teacher_noise, "teacher's noise (default: the student's)");
}

TheoryPoint PointOptions::point() const {
  TheoryPoint point;
  point.ratio = required(ratio, "--ratio");
  point.student.noise = required(noise, "--noise");
  point.teacher.density = required(teacher, "--teacher");
  point.student.density = density.value_or(point.teacher.density);
  point.student.activation = parse_activation(activation);
  point.teacher.activation =
      teacher_activation.empty() ? point.student.activation : parse_activation(teacher_activation);
  if (point.teacher.activation != point.student.activation && !teacher_noise)
    throw UsageError("--teacher-noise is missing: noise means something else for the teacher's activation");
  point.teacher.noise = teacher_noise.value_or(point.student.noise);
  return point;
}

std::vector<TheoryPoint> PointOptions::points(SweepVariable variable, const std::vector<double>& values) const {
  PointOptions at = *this;
  std::optional<double>* const slots[] = {&at.ratio, &at.density, &at.noise, &at.teacher};
  std::optional<double>& slot = *slots[static_cast<int>(variable)];
  if (slot) throw UsageError(fmt::format("--{0} is given and varied at once: leave --{0} out", to_string(variable)));
  std::vector<TheoryPoint> out;
  for (const double value : values) {
    slot = value;
    out.push_back(at.point());
  }
  return out;
}

void SweepOptions::add_to(CLI::App& command) {
  command.option_defaults()->group("What is varied");
  command.add_option("--vary", vary, "ratio, density, noise or teacher")->required();
  command.add_option("--values", values, "the values, separated by commas")->delimiter(',');
  command.add_option("--from", from, "or a range: its first value (no default)");
  command.add_option("--to", to, "its last value (no default)");
  command.add_option("--count", count, "how many values (no default)");
  command.add_flag("--log", logarithmic, "equal ratios instead of equal steps");
}

SweepVariable SweepOptions::variable() const {
  for (const auto v : {SweepVariable::ratio, SweepVariable::density, SweepVariable::noise, SweepVariable::teacher})
    if (vary == to_string(v)) return v;
  throw UsageError(fmt::format("cannot vary '{}': use ratio, density, noise or teacher", vary));
}

std::vector<double> SweepOptions::all_values() const {
  const bool range = from || to || count;
  if (!values.empty() && range) throw UsageError("give either --values or --from, --to and --count, not both");
  if (!values.empty()) return values;
  if (!(from && to && count)) throw UsageError("a sweep of nothing: give --values, or --from, --to and --count");
  if (*count < 1) throw UsageError(fmt::format("a sweep of {} values: --count must be at least 1", *count));
  if (!std::isfinite(*from) || !std::isfinite(*to))
    throw UsageError(fmt::format("a sweep from {} to {}: both ends must be finite", *from, *to));
  if (logarithmic && !(*from > 0 && *to > 0))
    throw UsageError(fmt::format("a logarithmic sweep from {} to {}: both ends must be positive", *from, *to));
  std::vector<double> out;
  for (int i = 0; i < *count; ++i) {
    const double t = *count == 1 ? 0 : static_cast<double>(i) / (*count - 1);
    const double value = logarithmic ? *from * std::pow(*to / *from, t) : *from + t * (*to - *from);
    out.push_back(i > 0 && i == *count - 1 ? *to : value);
  }
  return out;
}

void PlanOptions::add_to(CLI::App& command) {
  command.add_option("--features", features, "number of features")->required();
  command.add_option("--density", density, "fraction of the features that matter")->required();
  command.add_option("--noise", noise, "step: probability of a flipped label; probit, logistic: width")->required();
  command.add_option("--activation", activation, "step, probit or logistic (default: step)");
  command.option_defaults()->group("Question, one of the two");
  command.add_option("--target-error", target_error, "how many samples bring the error down to this? (no default)");
  command.add_option("--samples", samples, "what error do so many samples give? (no default)");
}

PlanReport PlanOptions::report() const {
  if (target_error.has_value() == samples.has_value())
    throw UsageError("give one of --target-error (how many samples?) and --samples (what error?)");
  PlanReport report{features, {density, parse_activation(activation), noise}, target_error, {}, {}};
  report.plan =
      target_error ? plan_samples(features, report.truth, *target_error) : plan_error(features, report.truth, *samples);
  if (report.plan.reachable) report.curve = learning_curve(features, report.truth, curve_samples(report.plan.samples));
  return report;
}

void write_text(const std::string& path, const std::string& text) {
  write_file_atomically(path, [&](std::ostream& out) { out << text; });
}

}  // namespace cavity
