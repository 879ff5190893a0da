#include "report/json_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assess/guessing.hpp"
#include "assess/sample_groups.hpp"
#include "file/messages.hpp"
#include "report/feature_blocks.hpp"
#include "report/verdict.hpp"

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
          {"column", cell.column},
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
  Json out = Json::array();
  for (std::size_t k = 0; k < fit.model.class_names.size(); ++k)
    out.push_back({{"name", fit.model.class_names[k]}, {"count", fit.data.class_counts[k]}});
  return out;
}

Json interval_json(const Interval& interval) {
  return Json::array({json_number(interval.low), json_number(interval.high)});
}

Json class_prior_json(const Fit& fit) {
  return fit.data.class_prior.empty() ? Json(nullptr) : Json(fit.data.class_prior);
}

void add_accuracy(const Fit& fit, Json& out) {
  const LooEstimate& loo = fit.loo;
  const bool known = !loo.probability.empty();
  const auto told = [known](const Json& value) { return known ? value : Json(nullptr); };
  out["folds"] = loo.folds;
  out["sample_groups"] = loo.groups;
  out["loo_error"] = json_number(loo.error);
  out["loo_error_se"] = json_number(loo.error_se);
  out["loo_error_interval"] = told(interval_json(loo.error_interval));
  out["loo_log_loss"] = json_number(loo.log_loss);
  out["choice_optimism"] = nullptr;
  if (loo.optimism)
    out["choice_optimism"] = {{"error", json_number(loo.optimism->error)},
                              {"log_loss", json_number(loo.optimism->log_loss)}};
  out["balanced_accuracy"] = told(loo.balanced_accuracy);
  out["brier"] = told(json_number(loo.brier));
  out["confusion"] = told(rows_json(loo.confusion, fit.data.class_counts.size()));
}

void add_accuracy(const Accuracy& a, bool known, Json& out) {
  const auto told = [known](const Json& value) { return known ? value : Json(nullptr); };
  out["sensitivity"] = told(a.sensitivity);
  out["sensitivity_interval"] = told(interval_json(a.sensitivity_interval));
  out["specificity"] = told(a.specificity);
  out["specificity_interval"] = told(interval_json(a.specificity_interval));
  out["auc"] = told(json_number(a.auc));
  out["auc_se"] = told(json_number(a.auc_se));
  out["auc_interval"] = told(interval_json(a.auc_interval));
}

Json truths_json(const Fit& fit) {
  Json out = Json::array();
  for (const std::uint32_t k : fit.data.classes) out.push_back(fit.model.class_names[k]);
  return out;
}

Json loo_probability_json(const Fit& fit) { return rows_json(fit.loo.probability, fit.data.class_counts.size()); }

void add_guessing(const Fit& fit, Json& out) {
  const Guess guess = best_guess(fit.data.class_counts, fit.data.class_prior);
  out["baseline_error"] = guess.error;
  out["guessing"] = nullptr;
  if (fit.loo.probability.empty()) return;
  const std::vector<std::size_t> group_of =
      fit.loo.groups > 0 ? gather_groups(fit.data.groups).of : std::vector<std::size_t>();
  const AgainstGuessing against =
      against_guessing(fit.loo.called, fit.data.classes, guess.of_class, fit.data.class_prior, group_of);
  out["guessing"] = {{"class", fit.model.class_names[guess.of_class]},
                     {"error", guess.error},
                     {"brier", guess.brier},
                     {"log_loss", guess.log_loss},
                     {"gained", against.gained},
                     {"lost", against.lost},
                     {"p_value", against.p_value}};
}

Json loo_check_json(const std::optional<LooCheck>& check) {
  if (!check) return nullptr;
  return {{"refits", check->refits},
          {"samples", check->checked},
          {"failed", check->failed},
          {"largest_difference", check->largest_difference},
          {"mean_difference", check->mean_difference},
          {"changed_labels", check->changed_labels}};
}

Json covariates_json(const Model& model, std::size_t question) {
  const auto& encodings = model.preprocessing.covariates;
  const auto& estimates = model.questions[question].covariates;
  Json out = Json::array();
  for (std::size_t j = 0; j < estimates.size(); ++j)
    out.push_back({{"name", encodings[j].name},
                   {"category", encodings[j].category},
                   {"reference", encodings[j].reference},
                   {"weight", estimates[j].weight},
                   {"sd", estimates[j].sd}});
  return out;
}

Json covariates_alone_json(const std::optional<CovariatesAlone>& alone) {
  if (!alone) return nullptr;
  return {{"loo_error", alone->error},
          {"loo_log_loss", alone->log_loss},
          {"error_gain", alone->error_gain},
          {"error_gain_se", alone->error_gain_se},
          {"log_loss_gain", alone->log_loss_gain},
          {"log_loss_gain_se", alone->log_loss_gain_se}};
}

Json calibration_json(const Model& model) {
  const Calibration& c = model.calibration;
  const bool joined = !c.joining.offset.empty();
  Json out = {{"recalibrated", model.recalibrated()},
              {"slope", nullptr},
              {"floor", nullptr},
              {"temperature", nullptr},
              {"offset", nullptr},
              {"coupling", nullptr},
              {"together", nullptr},
              {"nothing", nullptr}};
  if (const Nothing& nothing = c.nothing; nothing.share > 0) {
    const std::vector<double>& weights = nothing.covariate_weight;
    out["nothing"] = {
        {"share", nothing.share},
        {"probability", nothing.probability},
        {"covariate_weights",
         weights.empty() ? Json(nullptr) : rows_json(weights, weights.size() / model.class_names.size())}};
  }
  if (c.recalibration) {
    out["slope"] = c.recalibration->slope;
    out["floor"] = c.recalibration->floor;
  }
  if (joined) {
    out["floor"] = c.joining.floor;
    out["temperature"] = c.joining.temperature;
    out["offset"] = c.joining.offset;
  }
  if (!c.joining.coupling.empty()) out["coupling"] = rows_json(c.joining.coupling, model.class_names.size());
  if (c.together.share > 0) out["together"] = {{"share", c.together.share}, {"precision", c.together.precision}};
  return out;
}

Json credible_sets_json(const Model& model) {
  Json out = Json::array();
  for (std::size_t k = 0; k < model.questions.size(); ++k)
    for (const CredibleSet& set : model.questions[k].features.credible_sets) {
      Json names = Json::array();
      for (const auto l : set.features) names.push_back(model.preprocessing.feature_names[l]);
      out.push_back({{"class", model.class_names[model.of_class(k)]},
                     {"features", names},
                     {"share", set.share},
                     {"probability", set.probability},
                     {"filled", set.filled},
                     {"weight", model.questions[k].few()}});
    }
  return out;
}

Json correlated_json(const Model& model) {
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

Json features_json(const Model& model, const std::vector<Feature>& ranked) {
  Json out = Json::array();
  std::vector<double> inclusion;
  for (const Feature& feature : ranked) inclusion.push_back(feature.inclusion);
  const std::vector<double> doubt = expected_false(inclusion);  // of the features down to each
  const FeatureBlocks blocks(model);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    out.push_back({{"name", ranked[i].name},
                   {"class", model.class_names[ranked[i].of_class]},
                   {"inclusion", ranked[i].inclusion},
                   {"weight", ranked[i].weight},
                   {"sd", ranked[i].sd},
                   {"bayes_factor", json_number(bayes_factor(model, ranked[i]))},
                   {"expected_false", doubt[i]},
                   {"difference", json_number(ranked[i].alone.difference)},
                   {"t", json_number(ranked[i].alone.t)},
                   {"q", json_number(ranked[i].alone.q)}});
    if (blocks.any()) out.back()["block"] = blocks.of(ranked[i].name);
  }
  return out;
}

Json hypotheses_json(const QuestionFit& question) {
  Json out = Json::array();
  for (const KeptHypothesis& h : question.hypotheses)
    out.push_back({{"kept", h.kept}, {"prior", h.prior}, {"posterior", h.posterior}});
  return out;
}

Json relevant_json(const QuestionFit& question) {
  if (!question.relevant) return nullptr;
  return Json::array({question.relevant->low, question.relevant->high});
}

Json forecast_json(const Forecast& forecast) {
  Json points = Json::array();
  for (const ForecastPoint& p : forecast.points)
    points.push_back({{"samples", p.samples}, {"error", p.error}, {"interval", Json::array({p.low, p.high})}});
  return {{"points", points}, {"why_none", forecast.known() ? Json(nullptr) : Json(forecast.why_none)}};
}

Json verdict_json(const Fit& fit) {
  const bool known = fit.permutation.known();
  return {{"better", known ? Json(fit.permutation.shown()) : Json(nullptr)}, {"text", verdict_words(fit)}};
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
  const auto told = [&p](double value) { return p.known() ? json_number(value) : Json(nullptr); };
  return {{"shown", p.known() ? Json(p.shown()) : Json(nullptr)},
          {"p", told(p.p)},
          {"p_together", told(p.p_together)},
          {"p_strongest", told(p.p_strongest)},
          {"permutations", p.permutations},
          {"log_loss", told(p.log_loss)},
          {"expected_log_loss", told(p.expected_log_loss)},
          {"expected_error", told(p.mean.error)},
          {"error_sd", told(p.sd.error)},
          {"why_none", p.known() ? Json(nullptr) : Json(p.why_none)}};
}

Json warnings_json(const Fit& fit) {
  Json out = Json::array();
  for (const Warning& w : fit.warnings) out.push_back({{"name", w.name}, {"text", w.text}, {"cure", w.cure}});
  return out;
}

std::string document(const Json& values, int indent) {
  Json out = {{"schema", json_schema}};
  out.update(values);
  return dumped(out, indent) + "\n";
}

// JSON escapes the first half of the control characters by itself; the others, which it would leave, stand in strings
// alone, too.
std::string dumped(const Json& json, int indent) {
  std::string out;
  const std::string text = json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first != 0x7f && first != 0xc2 && first != 0xe2) continue;
    const std::size_t length = first == 0x7f ? 1 : first == 0xc2 ? 2 : 3;
    const std::string_view character = std::string_view(text).substr(at, length);
    if (!drives_terminal(character)) continue;
    unsigned code = first == 0x7f ? first : first & (length == 2 ? 0x1f : 0x0f);
    for (const char next : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(next) & 0x3f);
    out += text.substr(done, at - done) + fmt::format("\\u{:04x}", code);
    done = at + length;
  }
  return done == 0 ? text : out + text.substr(done);
}

}  // namespace cavity
