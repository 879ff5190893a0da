#include "fit/validation_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "file/messages.hpp"

namespace cavity {

namespace {

// Root mean square of the features' shifts, in what chance alone gives; figures of 50 tables each: experiments/cohort.
constexpr double moved = 2;

void find_worse(const Validation& v, std::vector<Finding>& out) {
  if (!v.promised || v.all.error.interval.low <= v.promised->error_interval.high) return;
  out.push_back({"worse-than-promised",
                 fmt::format("the error is {:.1f} % (95 % from {:.1f} %), the fit promised {:.1f} % (at most {:.1f} %)",
                             100 * v.all.error.value, 100 * v.all.error.interval.low, 100 * v.promised->error,
                             100 * v.promised->error_interval.high),
                 "what is said of this cohort by the fit's own figures does not hold: quote those that came"});
}

/// How far the log odds that a fit states of a class are off by the chance of its own samples: their intercept has the
/// information sum p (1 - p), with p what was said of each left out. Where that is not known the class's share is p.
double chance_of_fit(const Validation& v, const ClassFigures& c, const std::vector<double>& left_out) {
  const std::size_t classes = v.class_names.size();
  double information = 0;
  for (std::size_t i = static_cast<std::size_t>(std::ranges::find(v.class_names, c.name) - v.class_names.begin());
       i < left_out.size(); i += classes)
    information += left_out[i] * (1 - left_out[i]);
  if (information > 0) return 1 / std::sqrt(information);
  if (!v.promised || v.promised->class_counts.empty()) return 0;
  double own = 0, all = 0;
  for (std::size_t k = 0; k < v.class_names.size(); ++k) {
    const auto count = static_cast<double>(v.promised->class_counts[k]);
    all += count;
    if (v.class_names[k] == c.name) own = count;
  }
  return own > 0 && own < all ? std::sqrt(1 / own + 1 / (all - own)) : 0;
}

void find_miscalibrated(const Validation& v, const ClassFigures& c, const std::vector<double>& left_out,
                        std::vector<Finding>& out) {
  const std::string name = shown(c.name);
  const Figure& large = c.in_the_large;
  if (std::abs(large.value) > 1.96 * std::hypot(large.se, chance_of_fit(v, c, left_out)))
    out.push_back({"other-frequency",
                   fmt::format("{} comes {} often than stated: log odds {:+.2f} ({:+.2f} to {:+.2f})", name,
                               large.value > 0 ? "more" : "less", large.value, large.interval.low, large.interval.high),
                   "`adapt` brings the probabilities to this site's frequencies"});
  if (c.slope.interval.high < 1)
    out.push_back({"too-sure",
                   fmt::format("the probabilities of {} are too sure: calibration slope {:.2f} ({:.2f} to {:.2f})",
                               name, c.slope.value, c.slope.interval.low, c.slope.interval.high),
                   "`adapt` with `slope` corrects it"});
}

void find_moved(const Validation& v, std::vector<Finding>& out) {
  const Drift& d = *v.drift;
  if (d.typical_shift <= moved * d.expected_shift) return;
  std::string worst;
  for (const FeatureShift& s : d.worst)
    worst += fmt::format("{}{} {:+.1f}", worst.empty() ? "" : ", ", shown(s.name), s.deviations);
  out.push_back(
      {"features-moved",
       fmt::format("the features have moved by {:.2f} training deviations, where chance gives {:.2f}; most {}",
                   d.typical_shift, d.expected_shift, worst),
       "another lab, batch or platform: normalise both cohorts in one way, or fit with `value_transform=rank`"});
}

/// A new sample lies beyond all training ones by chance once in so many samples as they are, and one.
void find_outside(const Validation& v, std::size_t training, std::vector<Finding>& out) {
  const double expected = static_cast<double>(v.sample_names.size()) / static_cast<double>(training + 1);
  const auto found = static_cast<double>(v.drift->outliers.size());
  if (found <= expected + 3 * std::sqrt(expected) + 1) return;
  out.push_back(
      {"outside",
       fmt::format("{} farther outside the span of the training samples than any of these, where chance gives "
                   "about {:.0f}",
                   counted(v.drift->outliers.size(), "sample") + (found == 1 ? " lies" : " lie"), std::ceil(expected)),
       "look at these samples first: another tissue, a failed measurement, another preparation"});
}

}  // namespace

std::vector<Finding> findings_of(const Validation& v, const TrainedOn& training) {
  std::vector<Finding> out;
  find_worse(v, out);
  for (const ClassFigures& c : v.classes) find_miscalibrated(v, c, training.left_out, out);
  if (!v.measured.absent.empty())
    out.push_back({"absent-features",
                   fmt::format("{} of the model's {} features have no column; those that are there explain {:.1f} % of "
                               "what decides",
                               v.measured.absent.size(), v.measured.features, 100 * v.measured.explained),
                   "probabilities are less sure for it; a model fitted on the features that are there may say more"});
  if (!v.drift) return out;
  find_moved(v, out);
  find_outside(v, training.samples, out);
  return out;
}

}  // namespace cavity
