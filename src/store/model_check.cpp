#include "store/model_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "model/activation_kind.hpp"

#include "store/bent_arrays.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

/// Collects the first fault, so that the checks read as a list.
class Faults {
 public:
  void require(bool holds, const std::string& what) {
    if (!holds && first_.empty()) first_ = what;
  }
  void size(std::size_t got, std::size_t expected, const std::string& what) {
    require(got == expected, fmt::format("{} {} instead of {}", got, what, expected));
  }
  void size_or_none(std::size_t got, std::size_t expected, const std::string& what) {
    if (got != 0) size(got, expected, what);
  }
  std::string first() const { return first_; }

 private:
  std::string first_;
};

template <class T>
bool all_finite(const std::vector<T>& values) {
  return std::all_of(values.begin(), values.end(), [](T x) { return std::isfinite(x); });
}

bool increasing(const std::vector<std::uint32_t>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

void check_preprocessing(const Preprocessing& p, Faults& faults) {
  const std::size_t features = p.feature_names.size();
  faults.require(!p.kept.empty() && increasing(p.kept) && p.kept.back() < features,
                 "kept features that are not among its features");
  faults.size(p.impute.size(), features, "means for missing values");
  faults.size(p.centre.size(), p.kept.size(), "feature centres");
  faults.size(p.scale.size(), p.kept.size(), "feature scales");
  faults.require(all_finite(p.impute) && all_finite(p.centre) && all_finite(p.scale), "centres or scales not finite");
  const std::size_t by_feature = p.transform == Transform::feature_asinh ? p.kept.size() : 0;
  faults.size(p.median.size(), by_feature, "feature medians");
  faults.size(p.spread.size(), by_feature, "feature spreads");
  faults.require(all_finite(p.median) && all_finite(p.spread) &&
                     std::ranges::all_of(p.spread, [](double spread) { return spread > 0; }),
                 "medians or spreads that are none");
  faults.require(std::isfinite(p.row_scale) && p.row_scale >= 0, fmt::format("a row scale of {}", p.row_scale));
  faults.require(p.directions <= p.kept.size(), "more principal directions than features");
  faults.size(p.whitening.size(), p.kept.size() * p.directions, "whitening entries");
  faults.require(all_finite(p.whitening), "whitening that is not finite");
  for (const CovariateEncoding& c : p.covariates)
    faults.require(std::isfinite(c.centre) && std::isfinite(c.scale), "covariate scales that are not finite");
}

void check_blocks(const Preprocessing& p, Faults& faults) {
  if (p.blocks.empty()) return;
  std::size_t features = 0;
  std::vector<std::string> names;
  for (const BlockPreparation& block : p.blocks) {
    features += block.features;
    names.push_back(block.name);
    faults.require(std::isfinite(block.factor) && block.factor > 0,
                   fmt::format("a block's factor of {}", block.factor));
    faults.require(p.transform == Transform::feature_asinh || block.transform != Transform::feature_asinh,
                   "a block whose features lack their medians");
  }
  faults.size(features, p.feature_names.size(), "features in blocks");
  std::ranges::sort(names);
  faults.require(std::adjacent_find(names.begin(), names.end()) == names.end(), "two blocks of one name");
  faults.require(p.directions == 0, "principal directions of several blocks");
}

void check_places(const PlaceDraws& p, const Component& c, std::size_t covariates, Faults& faults) {
  if (p.count() == 0) return;
  std::size_t places = 0, weights = 0, entries = 0;
  for (const std::size_t size : p.size) {
    if (size > p.place.size()) return faults.require(false, "draws of more places than there are");
    places += size;
    weights += covariates + size;
    entries += (covariates + size) * (covariates + size + 1) / 2;
  }
  faults.size(p.covariates, covariates, "covariates in draws");
  faults.size(p.place.size(), places, "places in draws");
  faults.size(p.mean.size(), weights, "weights in draws");
  faults.size(p.factor.size(), entries, "factors in draws");
  faults.require(all_finite(p.mean) && all_finite(p.factor), "draws that are not finite");
  faults.require(p.flip == c.noise && p.flip < 0.5, fmt::format("draws with a flip of {}", p.flip));
}

void check_place_scores(const CellMixture& mixture, const Preprocessing& p, Faults& faults) {
  const PlaceScores& scores = mixture.place_scores;
  const auto all_places = [&](const auto& known, const char* otherwise) {
    for (const Component& c : mixture.components) faults.require(std::ranges::all_of(c.places.place, known), otherwise);
  };
  if (scores.place.empty() && scores.values.empty())
    return all_places([&](std::uint32_t l) { return l < p.inputs(); }, "a place that is not among its features");
  const std::size_t samples = scores.samples();
  faults.require(
      !scores.place.empty() && increasing(scores.place) && scores.place.back() < 2 * p.inputs() && p.directions == 0,
      "scores of features that are not among its features");
  faults.size(scores.values.size(), scores.place.size() * samples, "values that have scores");
  faults.require(samples > 0 && all_finite(scores.values), "values that have scores and are not finite");
  if (!faults.first().empty()) return;
  for (auto first = scores.values.begin(); first != scores.values.end(); first += static_cast<std::ptrdiff_t>(samples))
    faults.require(std::is_sorted(first, first + static_cast<std::ptrdiff_t>(samples)),
                   "values that have scores and are not in order");
  all_places([&](std::uint32_t l) { return std::ranges::binary_search(scores.place, l); }, "a place without scores");
}

void check_credible_set(const CredibleSet& set, std::size_t features, Faults& faults) {
  const auto probability = [](double p) { return p >= 0 && p <= 1; };
  faults.size(set.share.size(), set.features.size(), "shares in a credible set");
  faults.require(std::all_of(set.features.begin(), set.features.end(), [&](std::uint32_t l) { return l < features; }),
                 "a credible set with an unknown feature");
  faults.require(std::all_of(set.share.begin(), set.share.end(), probability) && probability(set.probability) &&
                     probability(set.filled),
                 "a credible set with a probability outside [0, 1]");
}

void check_component(const Component& c, const Model& m, ActivationKind activation, std::size_t covariates,
                     Faults& faults) {
  const std::size_t inputs = m.preprocessing.inputs();
  faults.size(c.mean.size(), inputs, "weights in a component");
  faults.size(c.covariate_mean.size(), covariates, "covariate weights in a component");
  faults.size_or_none(c.feature_precision.size(), inputs, "feature precisions in a component");
  faults.size_or_none(c.sample_precision.size(), m.training.values.rows, "sample precisions in a component");
  faults.require(c.feature_precision.empty() == c.sample_precision.empty(), "a component with half of its precisions");
  faults.size_or_none(c.variance.size(), inputs, "variances in a component");
  faults.size(c.covariate_variance.size(), c.variance.empty() ? 0 : covariates, "covariate variances in a component");
  const auto positive = [](double v) { return std::isfinite(v) && v >= 0; };
  faults.require(std::all_of(c.variance.begin(), c.variance.end(), positive) &&
                     std::all_of(c.covariate_variance.begin(), c.covariate_variance.end(), positive),
                 "variances that are none");
  faults.require(all_finite(c.mean) && all_finite(c.covariate_mean) && all_finite(c.feature_precision) &&
                     all_finite(c.sample_precision),
                 "weights or precisions that are not finite");
  faults.require(c.density > 0 && c.density <= 1, fmt::format("a density of {}", c.density));
  faults.require(is_valid_noise(activation, c.noise), fmt::format("a noise of {}", c.noise));
  faults.require(c.width == 0 || (c.width > 0 && std::isfinite(c.width) && activation == ActivationKind::step),
                 fmt::format("a width of {}", c.width));
  check_places(c.places, c, covariates, faults);
  faults.require(c.weight >= 0 && c.weight <= 1, "mixture weights outside [0, 1]");
  faults.require(std::isfinite(c.common_variance) && c.common_variance >= 0, "a variance that is none");
}

void check_training(const TrainingRows& t, const Preprocessing& p, Faults& faults) {
  const std::size_t rows = t.values.rows, cols = t.covariates.cols;
  faults.size(t.values.values.size(), rows * t.values.cols, "training values");
  faults.size_or_none(rows, t.row_scale.size(), "training rows");
  faults.require(all_finite(t.values.values) && all_finite(t.row_scale) && all_finite(t.covariates.values),
                 "training values that are not finite");
  if (rows > 0) faults.size(t.values.cols, p.inputs(), "training columns");
  faults.size(t.covariates.values.size(), t.covariates.rows * cols, "training covariate values");
  if (rows == 0) {
    faults.size(t.covariates.rows, 0, "rows of training covariates");
    return;
  }
  faults.size(cols, p.covariates.size(), "training covariates");
  if (cols > 0 || t.covariates.rows > 0) faults.size(t.covariates.rows, rows, "rows of training covariates");
}

void check_features(const FeatureEstimates& f, std::size_t features, Faults& faults) {
  faults.size(f.inclusion.size(), features, "inclusions");
  faults.size(f.weight.size(), features, "weights");
  faults.size(f.sd.size(), features, "deviations");
  faults.require(all_finite(f.weight) && all_finite(f.sd), "weights or deviations that are not finite");
  faults.require(std::all_of(f.inclusion.begin(), f.inclusion.end(), [](double p) { return p >= 0 && p <= 1; }),
                 "an inclusion outside [0, 1]");
  if (const auto& a = f.average)
    faults.require(
        a->prior_inclusion > 0 && a->prior_inclusion < 1 && a->none >= 0 && a->none <= 1 && a->few >= 0 && a->few <= 1,
        "an average over densities that is none");
  faults.size_or_none(f.alone.size(), features, "features alone");
  faults.require(!std::ranges::any_of(f.alone, [](const Marginal& m) { return m.q < 0 || m.q > 1; }),
                 "a q outside [0, 1]");
  for (const CredibleSet& set : f.credible_sets) check_credible_set(set, features, faults);
}

bool sound(const std::optional<Recalibration>& r) {
  return !r || (r->floor >= 0 && r->floor <= 0.5 && std::isfinite(r->slope));
}

void check_question(const QuestionModel& question, const Model& m, Faults& faults) {
  const auto& [mixture, features, estimates] = question;
  const std::size_t covariates = m.preprocessing.covariates.size() + (mixture.intercept ? 1 : 0);
  faults.require(!mixture.components.empty(), "no component");
  for (const Component& c : mixture.components) check_component(c, m, mixture.activation, covariates, faults);
  faults.size_or_none(estimates.size(), m.preprocessing.covariates.size(), "covariate estimates");
  for (const CovariateEstimate& c : estimates)
    faults.require(std::isfinite(c.weight) && std::isfinite(c.sd), "covariate estimates that are not finite");
  check_features(features, m.preprocessing.feature_names.size(), faults);
  // Fisher's discriminant has no prior; sites without one have no variance.
  const bool sites = std::any_of(mixture.components.begin(), mixture.components.end(),
                                 [](const Component& c) { return !c.feature_precision.empty(); });
  faults.require(std::isfinite(mixture.covariate_precision) && mixture.covariate_precision >= 0 &&
                     (mixture.covariate_precision > 0 || !sites || covariates == 0),
                 "a covariate precision that is none");
  check_place_scores(mixture, m.preprocessing, faults);
  const std::string bent = bent_fault(mixture, m.preprocessing.inputs(), m.training.values.rows);
  faults.require(bent.empty(), bent);
  const PartRecalibration& parts = mixture.part_recalibration;
  faults.require(sound(parts.sampled) && sound(parts.others), "a recalibration that is none");
  const double sampled = mixture.sampled_weight();
  const bool others = std::ranges::any_of(mixture.components, [](const Component& c) { return !c.sampled(); });
  faults.require(!parts.any() || (others && sampled > 0 && sampled < 1), "a recalibration of cells that are not there");
}

/// Beyond it sums and products of a joining could leave what a double holds.
constexpr double largest = 1e100;

void check_together(const Model& m, Faults& faults) {
  const Together& t = m.calibration.together;
  if (t.share == 0 && t.weight.empty() && t.covariate_weight.empty()) return;
  const std::size_t classes = m.class_names.size(),
                    covariates = m.preprocessing.covariates.size() + (m.first_mixture().intercept ? 1 : 0);
  const auto bounded = [](double x) { return std::abs(x) < largest; };
  faults.size(t.weight.size(), classes * m.preprocessing.inputs(), "weights of all classes at once");
  faults.size(t.covariate_weight.size(), classes * covariates, "covariate weights of all classes at once");
  faults.require(t.share > 0 && t.share <= 1 && std::ranges::all_of(t.weight, bounded) &&
                     std::ranges::all_of(t.covariate_weight, bounded),
                 "a fit of all classes at once that is none");
}

void check_joining(const Model& m, Faults& faults) {
  const std::size_t classes = m.class_names.size();
  const Joining& joining = m.calibration.joining;
  faults.size(joining.offset.size(), classes, "offsets of classes");
  faults.size_or_none(joining.coupling.size(), classes * classes, "couplings of classes");
  const auto bounded = [](double x) { return std::abs(x) < largest; };
  faults.require(joining.temperature > 0 && bounded(joining.temperature) && joining.floor >= 0 && joining.floor <= 1 &&
                     std::ranges::all_of(joining.offset, bounded) && std::ranges::all_of(joining.coupling, bounded),
                 "a joining of classes that is none");
  check_together(m, faults);
}

void check_nothing(const Model& m, Faults& faults) {
  const Nothing& nothing = m.calibration.nothing;
  if (nothing.share == 0 && nothing.probability.empty() && nothing.covariate_weight.empty()) return;
  double sum = 0;
  for (const double p : nothing.probability) sum += p;
  faults.size(nothing.probability.size(), m.class_names.size(), "frequencies of classes");
  faults.require(nothing.share > 0 && nothing.share <= 1 &&
                     std::ranges::all_of(nothing.probability, [](double p) { return p > 0 && p < 1; }) &&
                     std::abs(sum - 1) < 1e-9,
                 "frequencies of classes that are none");
  faults.size_or_none(nothing.covariate_weight.size(), m.class_names.size() * (m.preprocessing.covariates.size() + 1),
                      "weights of covariates alone");
  faults.require(std::ranges::all_of(nothing.covariate_weight, [](double w) { return std::abs(w) < largest; }),
                 "weights of covariates alone that are none");
}

void check_calibration(const Model& m, Faults& faults) {
  check_nothing(m, faults);
  const std::vector<double>& shift = m.calibration.class_shift;
  faults.require(sound(m.calibration.recalibration), "a recalibration that is none");
  if (m.questions.size() > 1) check_joining(m, faults);
  faults.size_or_none(shift.size(), m.class_names.size(), "prior shifts of classes");
  faults.require(std::ranges::all_of(shift, [](double factor) { return factor > 1 / largest && factor < largest; }),
                 "a prior shift that is none");
}

}  // namespace

std::string model_fault(const Model& m) {
  Faults faults;
  const std::size_t features = m.preprocessing.feature_names.size();
  faults.size(m.questions.size(), question_count(m.class_names.size()), "questions");
  if (m.questions.empty()) return faults.first();
  check_preprocessing(m.preprocessing, faults);
  check_blocks(m.preprocessing, faults);
  check_training(m.training, m.preprocessing, faults);
  for (const QuestionModel& question : m.questions) check_question(question, m, faults);
  for (const auto& set : m.correlated)
    for (const std::uint32_t member : set) faults.require(member < features, "a group with an unknown feature");
  check_calibration(m, faults);
  return faults.first();
}

}  // namespace cavity
