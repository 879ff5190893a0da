// What the page draws of the left-out probabilities, tables by column: calibration of the called class, and of each
// question calibration and ROC.
#include "assess/calibration_bins.hpp"
#include "assess/class_weights.hpp"
#include "assess/roc.hpp"
#include "assess/sample_groups.hpp"
#include "report/json_parts.hpp"

namespace cavity {

using Json = nlohmann::ordered_json;

namespace {

/// What was said of each sample, whether it came true, and how much it counts.
struct Said {
  std::vector<double> probability;
  std::vector<std::int8_t> true_label;  // +1 or -1
};

Said said_of_class(const Fit& fit, std::uint32_t of_class) {
  const std::size_t classes = fit.data.class_counts.size();
  Said out;
  for (std::size_t mu = 0; mu < fit.loo.called.size(); ++mu) {
    out.probability.push_back(fit.loo.probability[mu * classes + of_class]);
    out.true_label.push_back(fit.data.classes[mu] == of_class ? 1 : -1);
  }
  return out;
}

Said said_of_called(const Fit& fit) {
  const std::size_t classes = fit.data.class_counts.size();
  Said out;
  for (std::size_t mu = 0; mu < fit.loo.called.size(); ++mu) {
    out.probability.push_back(fit.loo.probability[mu * classes + fit.loo.called[mu]]);
    out.true_label.push_back(fit.data.classes[mu] == fit.loo.called[mu] ? 1 : -1);
  }
  return out;
}

/// A list a column, of the numbers that `row` makes of each entry.
template <class List, class Row>
Json columns(const List& list, const std::vector<const char*>& names, const Row& row) {
  Json out;
  for (const char* name : names) out[name] = Json::array();
  for (const auto& entry : list) {
    const std::vector<Json> values = row(entry);
    for (std::size_t j = 0; j < names.size(); ++j) out[names[j]].push_back(values[j]);
  }
  return out;
}

Json bins_json(const Said& said, const std::vector<double>& weights, const std::vector<std::size_t>& group_of) {
  return columns(calibration_bins(said.probability, said.true_label, weights, group_of),
                 {"samples", "hits", "predicted", "observed", "low", "high"}, [](const CalibrationBin& bin) {
                   return std::vector<Json>{bin.samples,  bin.hits,         bin.predicted,
                                            bin.observed, bin.interval.low, bin.interval.high};
                 });
}

Json roc_json(const Said& said) {
  return columns(roc_corners(said.probability, said.true_label), {"threshold", "false_positive", "true_positive"},
                 [](const RocPoint& p) {
                   return std::vector<Json>{json_number(p.threshold), p.false_positive, p.true_positive};
                 });
}

}  // namespace

Json drawn_json(const Fit& fit) {
  const bool known = !fit.loo.called.empty();
  const std::vector<double> weights =
      known ? class_weights(fit.data.classes, fit.data.class_prior) : std::vector<double>();
  const std::vector<std::size_t> group_of =
      known && fit.loo.groups > 0 ? gather_groups(fit.data.groups).of : std::vector<std::size_t>();
  Json questions = Json::array();
  for (std::size_t q = 0; q < fit.questions.size(); ++q) {
    const Said said = said_of_class(fit, fit.model.of_class(q));
    questions.push_back({{"calibration", bins_json(said, weights, group_of)}, {"roc", roc_json(said)}});
  }
  return {{"called", bins_json(said_of_called(fit), weights, group_of)}, {"questions", questions}};
}

}  // namespace cavity
