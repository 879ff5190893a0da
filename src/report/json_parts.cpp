#include "report/json_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assess/guessing.hpp"
#include "assess/sample_groups.hpp"

namespace cavity {

using Json = nlohmann::ordered_json;

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers_json(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(json_number(v));
  return out;
}

Json cell_json(const Cell& cell) {
  return {{"density", cell.density},
          {"noise", cell.noise},
          {"width", cell.width},
          {"kept", cell.kept},
          {"solver", cell.solver},
          {"loo_error", json_number(cell.loo_error)},
          {"loo_log_loss", json_number(cell.loo_log_loss)},
          {"converged", cell.status == "converged"},
          {"status", cell.status},
          {"usable", cell.usable},
          {"reliable", cell.reliable},
          {"by_folds", cell.by_folds},
          {"iterations", cell.iterations},
          {"residual", json_number(cell.residual)},
          {"log_evidence", json_number(cell.log_evidence)},
          {"weight", cell.weight}};
}

Json grid_json(const std::vector<Cell>& cells) {
  Json out = Json::array();
  for (const Cell& cell : cells) out.push_back(cell_json(cell));
  return out;
}

Json classes_json(const Fit& fit) {
  const auto& names = fit.model.class_names;
  if (names.size() == 2) return {{names[0], fit.data.class_counts[0]}, {names[1], fit.data.class_counts[1]}};
  Json out = Json::array();
  for (std::size_t k = 0; k < names.size(); ++k)
    out.push_back({{"name", names[k]}, {"count", fit.data.class_counts[k]}});
  return out;
}

Json interval_json(const Interval& interval) {
  return Json::array({json_number(interval.low), json_number(interval.high)});
}

namespace {

void add_positive(const Fit& fit, Json& out) {
  const Accuracy& a = fit.questions.front().accuracy;
  out["confusion"] = {{"true_positive", a.true_positive},
                      {"false_negative", a.false_negative},
                      {"true_negative", a.true_negative},
                      {"false_positive", a.false_positive}};
  out["sensitivity"] = a.sensitivity;
  out["sensitivity_interval"] = interval_json(a.sensitivity_interval);
  out["specificity"] = a.specificity;
  out["specificity_interval"] = interval_json(a.specificity_interval);
}

void add_auc(const Accuracy& a, Json& out) {
  out["auc"] = json_number(a.auc);
  out["auc_se"] = json_number(a.auc_se);
  out["auc_interval"] = interval_json(a.auc_interval);
}

}  // namespace

void add_accuracy(const Fit& fit, Json& out) {
  const LooEstimate& loo = fit.loo;
  const bool two = fit.questions.size() == 1;
  out["loo_error"] = json_number(loo.error);
  out["loo_error_se"] = json_number(loo.error_se);
  out["loo_log_loss"] = json_number(loo.log_loss);
  if (loo.optimism)
    out["choice_optimism"] = {{"error", json_number(loo.optimism->error)},
                              {"log_loss", json_number(loo.optimism->log_loss)}};
  if (loo.groups > 0) {
    out["sample_groups"] = loo.groups;
    out["group_loo_error"] = out["loo_error"];
    out["group_loo_log_loss"] = out["loo_log_loss"];
  }
  if (loo.probability.empty()) return;
  out["loo_error_interval"] = interval_json(loo.error_interval);
  if (two)
    add_positive(fit, out);
  else
    out["confusion"] = rows_json(loo.confusion, fit.data.class_counts.size());
  out["balanced_accuracy"] = loo.balanced_accuracy;
  if (two) add_auc(fit.questions.front().accuracy, out);
  out["brier"] = json_number(loo.brier);
}

std::vector<std::uint32_t> called_classes(const Fit& fit) {
  const std::size_t classes = fit.data.class_counts.size();
  std::vector<std::uint32_t> out;
  for (std::size_t first = 0; first < fit.loo.probability.size(); first += classes) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < classes; ++k)
      if (fit.loo.probability[first + k] >= fit.loo.probability[first + best]) best = k;
    out.push_back(static_cast<std::uint32_t>(best));
  }
  return out;
}

Json truths_json(const Fit& fit) {
  Json out = Json::array();
  for (const std::uint32_t k : fit.data.classes) out.push_back(fit.model.class_names[k]);
  return out;
}

Json loo_probability_json(const Fit& fit) {
  if (fit.questions.size() > 1) return rows_json(fit.loo.probability, fit.data.class_counts.size());
  Json out = Json::array();
  for (std::size_t i = 1; i < fit.loo.probability.size(); i += 2) out.push_back(json_number(fit.loo.probability[i]));
  return out;
}

void add_guessing(const Fit& fit, Json& out) {
  const Guess guess = best_guess(fit.data.class_counts, fit.data.class_shares);
  out["baseline_error"] = guess.error;
  if (fit.loo.probability.empty()) return;
  const std::vector<std::size_t> group_of =
      fit.loo.groups > 0 ? gather_groups(fit.data.groups).of : std::vector<std::size_t>();
  const AgainstGuessing against =
      against_guessing(called_classes(fit), fit.data.classes, guess.of_class, fit.data.class_shares, group_of);
  out["guessing"] = {{"class", fit.model.class_names[guess.of_class]},
                     {"error", guess.error},
                     {"brier", guess.brier},
                     {"log_loss", guess.log_loss},
                     {"gained", against.gained},
                     {"lost", against.lost},
                     {"p_value", against.p_value}};
}

Json loo_check_json(const LooCheck& check) {
  return {{"refits", check.refits},
          {"samples", check.checked},
          {"failed", check.failed},
          {"largest_difference", check.largest_difference},
          {"mean_difference", check.mean_difference},
          {"changed_labels", check.changed_labels}};
}

void add_covariates(const Model& model, std::size_t question, Json& out) {
  const auto& encodings = model.preprocessing.covariates;
  const auto& estimates = model.questions[question].covariates;
  Json list = Json::array();
  for (std::size_t j = 0; j < estimates.size(); ++j)
    list.push_back({{"name", encodings[j].name},
                    {"category", encodings[j].category},
                    {"reference", encodings[j].reference},
                    {"weight", estimates[j].weight},
                    {"sd", estimates[j].sd}});
  if (!list.empty()) out["covariates"] = list;
}

void add_covariates_alone(const Fit& fit, Json& out) {
  if (!fit.covariates_alone) return;
  const CovariatesAlone& a = *fit.covariates_alone;
  out["covariates_alone"] = {{"loo_error", a.error},
                             {"loo_log_loss", a.log_loss},
                             {"error_gain", a.error_gain},
                             {"error_gain_se", a.error_gain_se},
                             {"log_loss_gain", a.log_loss_gain},
                             {"log_loss_gain_se", a.log_loss_gain_se}};
}

Json credible_sets_json(const Model& model) {
  Json out = Json::array();
  for (const QuestionModel& question : model.questions)
    for (const CredibleSet& set : question.features.credible_sets) {
      Json names = Json::array();
      for (const auto l : set.features) names.push_back(model.preprocessing.feature_names[l]);
      out.push_back({{"features", names},
                     {"share", set.share},
                     {"probability", set.probability},
                     {"filled", set.filled},
                     {"weight", question.mixture.sampled_weight()}});
    }
  return out;
}

Json groups_json(const Model& model) {
  const std::vector<double> inclusion = overall_features(model).inclusion;
  Json out = Json::array();
  for (const auto& group : model.correlated) {
    Json names = Json::array();
    double sum = 0;
    for (const auto l : group) {
      names.push_back(model.preprocessing.feature_names[l]);
      sum += inclusion[l];
    }
    out.push_back({{"features", names}, {"inclusion", std::min(sum, 1.0)}});
  }
  return out;
}

Json resources_json(const Resources& used) {
  return {{"processes", used.processes},
          {"threads", used.threads},
          {"feature_bytes", used.bytes},
          {"communication_seconds", used.communication_seconds},
          {"resumed_cells", used.resumed_cells}};
}

Json permutation_json(const Fit& fit) {
  const PermutationFit& p = fit.permutation;
  if (!p.known()) return {{"p", nullptr}, {"permutations", 0}, {"why_none", p.why_none}};
  return {{"p", p.p},
          {"p_together", p.p_together},
          {"p_strongest", p.p_strongest},
          {"permutations", p.permutations},
          {"log_loss", p.log_loss},
          {"expected_log_loss", p.expected_log_loss}};
}

Json warnings_json(const Fit& fit) {
  Json out = Json::array();
  for (const Warning& w : fit.warnings) out.push_back({{"name", w.name}, {"text", w.text}, {"cure", w.cure}});
  return out;
}

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace cavity
