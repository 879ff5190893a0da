// A validation as JSON, and as the data of its page.
#include "report/html_report.hpp"
#include "report/json_parts.hpp"
#include "report/measured_report.hpp"
#include "report/validation_report.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;

Json figure_json(const Figure& f) {
  return {{"value", json_number(f.value)}, {"se", json_number(f.se)}, {"interval", interval_json(f.interval)}};
}

Json site_json(const SiteFigures& s) {
  return {{"name", s.name},
          {"samples", s.samples},
          {"class_counts", s.class_counts},
          {"error", figure_json(s.error)},
          {"log_loss", figure_json(s.log_loss)},
          {"brier", figure_json(s.brier)}};
}

Json decisions_json(const std::vector<DecisionRow>& rows) {
  Json out = Json::array();
  for (const DecisionRow& d : rows)
    out.push_back({{"threshold", d.threshold},
                   {"sensitivity", json_number(d.sensitivity)},
                   {"sensitivity_interval", interval_json(d.sensitivity_interval)},
                   {"specificity", json_number(d.specificity)},
                   {"specificity_interval", interval_json(d.specificity_interval)},
                   {"positive_value", json_number(d.positive_value)},
                   {"negative_value", json_number(d.negative_value)},
                   {"net_benefit", d.net_benefit},
                   {"treat_all", d.treat_all}});
  return out;
}

Json class_json(const ClassFigures& c) {
  Json out = {{"name", c.name}};
  add_accuracy(c.accuracy.value_or(Accuracy()), c.accuracy.has_value(), out);
  out["calibration_in_the_large"] = figure_json(c.in_the_large);
  out["calibration_intercept"] = figure_json(c.intercept);
  out["calibration_slope"] = figure_json(c.slope);
  out["calibration_curve"] = Json::array();
  for (const CurveBin& bin : c.curve)
    out["calibration_curve"].push_back({{"samples", bin.samples},
                                        {"stated", bin.stated},
                                        {"came", bin.came},
                                        {"interval", interval_json(bin.interval)}});
  out["roc"] = Json::array();
  for (const RocCorner& p : c.roc)
    out["roc"].push_back({{"threshold", json_number(p.threshold)},
                          {"false_positive", p.false_positive},
                          {"true_positive", p.true_positive}});
  out["thresholds"] = decisions_json(c.decisions);
  out["decision_curve"] = decisions_json(c.decision_curve);
  return out;
}

Json promised_json(const std::optional<Promise>& p) {
  if (!p) return nullptr;
  return {{"error", p->error},
          {"error_interval", interval_json(p->error_interval)},
          {"log_loss", p->log_loss},
          {"brier", p->brier},
          {"class_counts", p->class_counts}};
}

Json drift_json(const Validation& v) {
  if (!v.drift) return nullptr;
  const Drift& d = *v.drift;
  Json worst = Json::array(), outliers = Json::array();
  for (const FeatureShift& s : d.worst) worst.push_back({{"name", s.name}, {"deviations", s.deviations}});
  for (const std::size_t i : d.outliers) outliers.push_back(v.sample_names[i]);
  return {{"outside", d.outside},
          {"training_outside", d.training_outside},
          {"outside_limit", d.outside_limit},
          {"sample_outside", d.sample_outside},
          {"outliers", outliers},
          {"shift", d.typical_shift},
          {"expected_shift", d.expected_shift},
          {"worst_features", worst},
          {"field_shift", json_number(d.field_shift)},
          {"field_spread", json_number(d.field_spread)}};
}

Json samples_json(const Validation& v) {
  const std::size_t classes = v.class_names.size();
  Json out = Json::array();
  for (std::size_t i = 0; i < v.sample_names.size(); ++i) {
    const auto first = v.probabilities.begin() + static_cast<std::ptrdiff_t>(i * classes);
    const bool known = v.truth[i] < classes;
    out.push_back(
        {{"sample", v.sample_names[i]},
         {"label", v.class_names[v.called[i]]},
         {"truth", known ? Json(v.class_names[v.truth[i]]) : Json(nullptr)},
         {"probabilities", std::vector<double>(first, first + static_cast<std::ptrdiff_t>(classes))},
         {"outside", v.drift && !v.drift->sample_outside.empty() ? Json(v.drift->sample_outside[i]) : nullptr}});
  }
  return out;
}

Json findings_json(const Validation& v, OptionStyle style) {
  Json out = Json::array();
  for (const Finding& f : v.findings)
    out.push_back({{"name", f.name}, {"text", spell_options(f.text, style)}, {"cure", spell_options(f.cure, style)}});
  return out;
}

Json validation_values(const Validation& v, OptionStyle style) {
  Json out = {{"classes", v.class_names},
              {"findings", findings_json(v, style)},
              {"promised", promised_json(v.promised)},
              {"came", site_json(v.all)},
              {"by", Json::array()},
              {"questions", Json::array()},
              {"confusion", rows_json(v.confusion, v.class_names.size())},
              {"drift", drift_json(v)},
              {"measured", measured_json(v.measured)},
              {"unlabelled", v.unlabelled},
              {"samples", samples_json(v)}};
  out["came"].erase("name");
  for (const SiteFigures& s : v.by) out["by"].push_back(site_json(s));
  for (const ClassFigures& c : v.classes) out["questions"].push_back(class_json(c));
  return out;
}

}  // namespace

std::string validation_json(const Validation& v, OptionStyle style) { return document(validation_values(v, style)); }

Json validation_page_data(const Validation& v, const ValidationContext& context) {
  Json out{{"kind", "validate"},     {"version", CAVITY_VERSION}, {"command", context.command},
           {"model", context.model}, {"file", context.file},      {"subgroup", context.subgroup},
           {"citation", citation()}};
  out.update(validation_values(v, OptionStyle::flags));
  return out;
}

}  // namespace cavity
