#include "fit/validation_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assess/quantiles.hpp"
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

/// Log odds of a class against the others, by how many there are and half a sample each.
Figure class_odds(std::size_t k, const std::vector<std::size_t>& counts) {
  double own = 0.5, others = 0.5;
  for (std::size_t j = 0; j < counts.size(); ++j) (j == k ? own : others) += static_cast<double>(counts[j]);
  return {std::log(own / others), std::sqrt(1 / own + 1 / others), {}};
}

/// How far the log odds that a fit states of a class are off by the chance of its own samples: their intercept has the
/// information sum p (1 - p), with p what was said of each left out. Where that is not known the class's share is p.
double chance_of_fit(std::size_t k, const std::vector<std::size_t>& counts, const std::vector<double>& left_out) {
  double information = 0;
  for (std::size_t i = k; i < left_out.size(); i += counts.size()) information += left_out[i] * (1 - left_out[i]);
  return information > 0 ? 1 / std::sqrt(information) : class_odds(k, counts).se;
}

/// Whether the class is more common than in training, or rarer, beyond chance: which `sign` says.
bool share_moved(std::size_t k, const std::vector<std::size_t>& now, const std::vector<std::size_t>& then,
                 double sign) {
  const Figure here = class_odds(k, now), there = class_odds(k, then);
  return sign * (here.value - there.value) > z95 * std::hypot(here.se, there.se);
}

/// Log odds other than stated are the site's beyond the chance of the new samples and of the fit's own, or where the
/// class's share has moved in the same direction: then it is not the fit's intercept.
bool other_frequency(const Validation& v, std::size_t k, const Figure& large, const TrainedOn& training) {
  if (!(std::abs(large.value) > z95 * large.se)) return false;
  if (!v.promised || v.promised->class_counts.empty()) return true;
  const std::vector<std::size_t>& counts = v.promised->class_counts;
  if (std::abs(large.value) > z95 * std::hypot(large.se, chance_of_fit(k, counts, training.left_out))) return true;
  return training.own_shares && share_moved(k, v.all.class_counts, counts, large.value > 0 ? 1 : -1);
}

void find_miscalibrated(const Validation& v, const ClassFigures& c, const TrainedOn& training,
                        std::vector<Finding>& out) {
  const std::string name = shown(c.name);
  const Figure& large = c.in_the_large;
  const auto k = static_cast<std::size_t>(std::ranges::find(v.class_names, c.name) - v.class_names.begin());
  if (other_frequency(v, k, large, training))
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
  for (const ClassFigures& c : v.classes) find_miscalibrated(v, c, training, out);
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
