#include "describe.hpp"

#include <nlohmann/json.hpp>

#include "cavity/activation.hpp"
#include "cavity/report.hpp"
#include "fitted.hpp"

namespace {

using namespace cavity;

/// The estimates of one question after the other: a column each.
struct Estimates {
  std::vector<double> inclusion, weight, sd, difference, t, q, centred, covariate_weight, covariate_sd;

  void append(const Preprocessing& how, const FeatureEstimates& features,
              const std::vector<CovariateEstimate>& covariates) {
    inclusion.insert(inclusion.end(), features.inclusion.begin(), features.inclusion.end());
    weight.insert(weight.end(), features.weight.begin(), features.weight.end());
    sd.insert(sd.end(), features.sd.begin(), features.sd.end());
    std::vector<Marginal> alone = features.alone;
    alone.resize(features.inclusion.size());  // NaN where it is not known
    for (const Marginal& one : alone) {
      difference.push_back(one.difference);
      t.push_back(one.t);
      q.push_back(one.q);
    }
    double constant = 0;
    for (std::size_t k = 0; k < how.kept.size(); ++k) constant += features.weight[how.kept[k]] * how.centre[k];
    for (std::size_t k = 0; k < covariates.size(); ++k) {
      constant += covariates[k].weight * how.covariates[k].centre;
      covariate_weight.push_back(covariates[k].weight);
      covariate_sd.push_back(covariates[k].sd);
    }
    centred.push_back(constant);
  }
};

void put_covariates(const Model& model, const Estimates& estimates, cavity_value& out) {
  std::vector<std::string> columns, terms;
  for (const CovariateEncoding& c : model.preprocessing.covariates) {
    columns.push_back(c.name);
    terms.push_back(c.category.empty() ? c.name : c.name + "=" + c.category);
  }
  out.put("covariate_columns", columns);
  out.put("covariate_terms", terms);
  out.put("covariate_weight", estimates.covariate_weight,
          model.questions.front().covariates.empty() ? 0 : terms.size());
  out.put("covariate_sd", estimates.covariate_sd, model.questions.front().covariates.empty() ? 0 : terms.size());
}

}  // namespace

cavity_value describe(const std::shared_ptr<const Fitted>& fitted) {
  const Model& model = fitted->model();
  Estimates estimates;
  for (const QuestionModel& one : model.questions) estimates.append(model.preprocessing, one.features, one.covariates);

  cavity_value out;
  out.put("model", fitted);
  out.put("classes", model.class_names);
  out.put("label_name", model.label_name);
  out.put("feature_names", model.preprocessing.feature_names);
  const std::size_t features = model.preprocessing.feature_names.size();
  out.put("inclusion", estimates.inclusion, features);
  out.put("weight", estimates.weight, features);
  out.put("sd", estimates.sd, features);
  out.put("difference", estimates.difference, features);
  out.put("t", estimates.t, features);
  out.put("q", estimates.q, features);
  out.put("centred", estimates.centred);  // what the weights give where all values are the training means
  put_covariates(model, estimates, out);
  out.put("class_shift", model.calibration.class_shift);
  out.add("summary") = value_of(nlohmann::ordered_json::parse(model_summary(model)));
  return out;
}
