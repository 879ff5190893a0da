#include "report/result_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <cmath>

#include "report/csv_field.hpp"
#include "report/feature_blocks.hpp"

namespace cavity {

namespace {

/// Class names, a sample; empty where it is not known.
std::vector<std::string> truths(const Dataset& data) {
  std::vector<std::string> out;
  for (const std::uint32_t k : data.classes) out.push_back(k < data.class_names.size() ? data.class_names[k] : "");
  return out;
}

std::string known(double value) { return std::isnan(value) ? "" : fmt::format("{:.6g}", value); }

}  // namespace

std::vector<std::string> PredictedSamples::set(std::size_t i) const {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < classes(); ++k)
    if (sets->holds(i, k)) out.push_back(class_names[k]);
  return out;
}

PredictedSamples predict_samples(const Model& model, Dataset data, const PredictOptions& options,
                                 std::optional<double> confidence) {
  PredictedSamples out{data.sample_names, truths(data), model.class_names, {}};
  out.predicted = predict(model, std::move(data), options);
  if (confidence) out.sets = label_sets(model, out.predicted, *confidence);
  return out;
}

std::string prediction_csv(const PredictedSamples& samples) {
  const bool two = samples.classes() == 2, truth = !samples.truth.empty();
  std::string out = two ? "sample,probability,label" : "sample,label,probability";
  for (std::size_t k = 0; !two && k < samples.classes(); ++k)
    out += fmt::format(",{}", csv_field("p_" + samples.class_names[k]));
  out += samples.sets ? ",set" : "";
  out += truth ? ",truth\n" : "\n";
  for (std::size_t i = 0; i < samples.sample.size(); ++i) {
    const std::string label = csv_field(samples.label(i));
    const double p = samples.probability(i);
    out += csv_field(samples.sample[i]) + (two ? fmt::format(",{},{}", p, label) : fmt::format(",{},{}", label, p));
    for (std::size_t k = 0; !two && k < samples.classes(); ++k) out += fmt::format(",{}", samples.probability(i, k));
    if (samples.sets) out += fmt::format(",{}", csv_field(fmt::format("{}", fmt::join(samples.set(i), "|"))));
    if (truth) out += fmt::format(",{}", csv_field(samples.truth[i]));
    out += "\n";
  }
  return out;
}

std::string prediction_error(const PredictedSamples& samples) {
  std::size_t wrong = 0, known = 0;
  for (std::size_t i = 0; i < samples.truth.size(); ++i) {
    if (samples.truth[i].empty()) continue;
    ++known;
    wrong += samples.label(i) != samples.truth[i] ? 1 : 0;
  }
  if (samples.truth.empty()) return "";
  return fmt::format("error {:.4f} ({} of {} samples{})", static_cast<double>(wrong) / static_cast<double>(known),
                     wrong, known, known < samples.truth.size() ? " whose label is known" : "");
}

std::string sets_line(const PredictedSamples& samples) {
  if (!samples.sets) return "";
  std::size_t of_size[3] = {0, 0, 0}, known = 0, covered = 0;  // none, one, several
  for (std::size_t i = 0; i < samples.sample.size(); ++i) {
    const std::vector<std::string> set = samples.set(i);
    ++of_size[std::min<std::size_t>(set.size(), 2)];
    if (samples.truth.empty() || samples.truth[i].empty()) continue;
    ++known;
    covered += std::ranges::count(set, samples.truth[i]) > 0 ? 1 : 0;
  }
  std::string out =
      fmt::format("sets of labels at {:g} %: one label in {} of {} samples, none in {}, several in {}",
                  100 * samples.sets->confidence, of_size[1], samples.sample.size(), of_size[0], of_size[2]);
  return known > 0 ? out + fmt::format("; the truth in {} of {}", covered, known) : out;
}

std::string feature_csv(const Model& model, const std::vector<Feature>& features,
                        const std::vector<std::string>& of_class) {
  const FeatureBlocks blocks(model);
  const auto class_field = [&](const Feature& f) {
    return of_class.empty() ? "" : fmt::format(",{}", csv_field(of_class[f.of_class]));
  };
  const auto block_field = [&](const Feature& f) {
    return blocks.any() ? fmt::format(",{}", csv_field(blocks.of(f.name))) : "";
  };
  std::string out = fmt::format("feature,inclusion,{}weight,sd,difference,t,q{}\n", of_class.empty() ? "" : "class,",
                                blocks.any() ? ",block" : "");
  for (const Feature& f : features)
    out += fmt::format("{},{:.6g}{},{:.6g},{:.6g},{},{},{}{}\n", csv_field(f.name), f.inclusion, class_field(f),
                       f.weight, f.sd, known(f.alone.difference), known(f.alone.t), known(f.alone.q), block_field(f));
  return out;
}

std::string feature_csv(const Model& model) {
  std::vector<Feature> features = ranked_features(model);
  if (model.questions.size() > 1) return feature_csv(model, features, model.class_names);
  const std::vector<Feature> always = covariate_features(model);
  features.insert(features.begin(), always.begin(), always.end());
  return feature_csv(model, features);
}

}  // namespace cavity
