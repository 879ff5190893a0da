// A fitted model on new samples: told, validated, adapted.
#include <memory>
#include <nlohmann/json.hpp>

#include "cavity/adapt.hpp"
#include "cavity/label_sets.hpp"
#include "cavity/report.hpp"
#include "cavity/validate.hpp"
#include "describe.hpp"
#include "fitted.hpp"
#include "report/adapt_report.hpp"
#include "report/json_parts.hpp"
#include "report/measured_report.hpp"
#include "report/validation_report.hpp"
#include "request.hpp"
#include "works.hpp"

using namespace cavity;

namespace {

std::string in_words(const std::string& text) { return spell_options(text, OptionStyle::python); }

/// What is said of features that are absent and of missing values, a line a fact.
std::vector<std::string> lines_of(const MeasuredPart& measured) {
  std::vector<std::string> out;
  for (const std::string& line : measured_lines(measured)) out.push_back(in_words(line));
  return out;
}

cavity_value parsed(const std::string& json) { return value_of(nlohmann::ordered_json::parse(json)); }

Adapted adapted_by(const cavity_value& asked, const Model& model) {
  if (const cavity_value* prior = asked.find("class_prior")) {
    const auto shares = prior->numbers();
    return adapt_to_class_prior(model, {shares.begin(), shares.end()});
  }
  return adapt(model, cohort_of(asked, model), {predict_options_of(asked), asked.at("slope").flag()});
}

}  // namespace

cavity_value predict_work(cavity_job& job) {
  const Model& model = model_of(job);
  const std::size_t classes = model.class_names.size();
  const Prediction made = predict(model, cohort_of(job.arguments, model), predict_options_of(job.arguments));
  cavity_value out;
  out.put_rows("probability", made.probabilities, classes);
  if (const cavity_value* confidence = job.arguments.find("confidence"))
    out.put_rows("conformity", label_sets(model, made, confidence->number()).conformity, classes);
  std::vector<double> explained = made.measured.sample_explained;
  explained.resize(made.label.size(), 1.0);
  out.put("explained", std::move(explained));
  out.add("measured") = value_of(measured_json(made.measured));
  out.put("lines", lines_of(made.measured));
  return out;
}

cavity_value validate_work(cavity_job& job) {
  const cavity_value& asked = job.arguments;
  const Model& model = model_of(job);
  const auto thresholds = asked.at("thresholds").numbers();
  const Validation found =
      validate(model, cohort_of(asked, model), {predict_options_of(asked), {thresholds.begin(), thresholds.end()}});
  cavity_value out;
  out.add("figures") = parsed(validation_json(found, OptionStyle::python));
  const std::string subgroup = asked.at("subgroup").text();
  out.put("text", validation_text(found, subgroup, OptionStyle::python));
  out.put("page", dumped(validation_page_data(found, {asked.at("model_name").text(), "", "", subgroup})));
  out.put("lines", lines_of(found.measured));
  return out;
}

cavity_value adapt_work(cavity_job& job) {
  Adapted made = adapted_by(job.arguments, model_of(job));
  auto fitted = std::make_shared<Fitted>();
  fitted->fit.model = std::move(made.model);
  cavity_value out = describe(fitted);
  out.add("adaptation") = parsed(adaptation_json(made.how, fitted->model().class_names));
  out.put("text", in_words(adaptation_text(made.how, fitted->model().class_names)));
  return out;
}
