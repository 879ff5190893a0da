// The price list of panels, and one panel's members.
#include "cavity/panel_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cavity/report.hpp"
#include "file/messages.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"
#include "report/panel_page.hpp"
#include "report/text_parts.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string>& names_of(const Panel& panel) { return panel.fit.model.preprocessing.feature_names; }

const std::string& name_of(const Panel& panel, std::uint32_t feature) { return names_of(panel)[feature]; }

bool cost_differs(const Panel& panel) {
  for (std::size_t s = 0; s < panel.sizes.size(); ++s)
    if (panel.sizes[s].cost != static_cast<double>(s + 1)) return true;
  return false;
}

const Model& model_of(const Panel& panel) { return panel.sizes[panel.size - 1].fit.model; }

std::string seen_as(Transform transform) {
  switch (transform) {
    case Transform::log1p:
      return "ln(1 + value)";
    case Transform::feature_asinh:
      return "asinh((value - median)/spread) of each feature's own median and spread";
    case Transform::none:
    case Transform::rank:
    case Transform::asinh:
      break;
  }
  return "the values as they are";
}

std::string seen_as(const Panel& panel) {
  std::string values = seen_as(model_of(panel).preprocessing.transform);
  if (panel.reference.empty()) return values;
  std::vector<std::string> names;
  for (const std::uint32_t l : panel.reference) names.push_back(name_of(panel, l));
  return fmt::format("{}, less the mean of {} in the same sample", values, shown_names(names, 5));
}

std::string price_head(const Panel& panel) {
  std::string out = fmt::format("\n{:>5} {:>15} {:>9}", "size", "error", "log loss");
  if (panel.whole.accuracy) out += fmt::format(" {:>6} {:>6} {:>6}", "AUC", "sens.", "spec.");
  out += fmt::format(" {:>20}", "log loss over whole");
  if (cost_differs(panel)) out += fmt::format(" {:>8}", "cost");
  return out + "  adds\n";
}

std::string price_line(const Panel& panel, const std::string& size, const PanelPrice& price) {
  std::string out = fmt::format("{:>5} {:>6.1f} % +- {:>3.1f} {:>9.3f}", size, 100 * price.error, 100 * price.error_se,
                                price.log_loss);
  if (const auto& a = price.accuracy)
    out += fmt::format(" {:>6.3f} {:>6.2f} {:>6.2f}", a->auc, a->sensitivity, a->specificity);
  return out +
         (&price == &panel.whole
              ? fmt::format(" {:>20}", "")
              : fmt::format(" {:>20}", fmt::format("{:+.3f} +- {:.3f}", price.log_loss_more, price.log_loss_more_se)));
}

std::string suggestion(const Panel& panel) {
  if (panel.fit.permutation.not_shown())
    return "\nno size is suggested: the features are not shown to tell the classes apart\n";
  if (panel.suggested == 0)
    return fmt::format(
        "\nno size up to {} comes within one standard error of the whole fit: a panel that small costs accuracy\n",
        panel.sizes.size());
  const PanelPrice& price = panel.sizes[panel.suggested - 1].price;
  return fmt::format(
      "\nsuggested: {}, the smallest size whose log loss ({:.3f}) is within one standard error of the whole fit's "
      "({:.3f}): {:+.3f} +- {:.3f}\n",
      counted(panel.suggested, "feature"), price.log_loss, panel.whole.log_loss, price.log_loss_more,
      price.log_loss_more_se);
}

std::string members_table(const Panel& panel) {
  const FeatureEstimates& features = model_of(panel).questions.front().features;
  const bool two = model_of(panel).questions.size() == 1;
  std::string out = fmt::format("\nthe panel of {}\n{:<24} {:>11} {:>9}  {}\n", panel.size, "feature",
                                two ? "weight" : "", "in folds", "could stand in, with what the panel then loses");
  for (std::size_t i = 0; i < panel.members.size(); ++i) {
    const PanelMember& member = panel.members[i];
    out += fmt::format("{:<24} {:>11} {:>7.0f} % ", wide_name(name_of(panel, member.feature)),
                       two ? fmt::format("{:.4g}", features.weight[i]) : "", 100 * member.share);
    for (const StandIn& other : member.stand_ins)
      out += fmt::format(" {} {:+.3f}", plain(name_of(panel, other.feature)), other.loss);
    out += member.stand_ins.empty() ? fmt::format(" none within {:g}\n", panel.margin) : "\n";
    std::vector<std::string> set;
    for (const std::uint32_t l : member.credible_set)
      if (l != member.feature) set.push_back(name_of(panel, l));
    if (!set.empty()) out += fmt::format("{:>49}in one credible set with {}\n", "", shown_names(set, 5));
  }
  return out;
}

Json interval(const std::optional<Accuracy>& accuracy, Interval Accuracy::*which) {
  return accuracy ? interval_json((*accuracy).*which) : Json(nullptr);
}

Json number(const std::optional<Accuracy>& accuracy, double Accuracy::*which) {
  return accuracy ? json_number((*accuracy).*which) : Json(nullptr);
}

void add_price(const PanelPrice& price, Json& out) {
  out["error"] = json_number(price.error);
  out["error_se"] = json_number(price.error_se);
  out["error_interval"] = interval_json(price.error_interval);
  out["log_loss"] = json_number(price.log_loss);
  out["log_loss_se"] = json_number(price.log_loss_se);
  out["balanced_accuracy"] = json_number(price.balanced_accuracy);
  out["auc"] = number(price.accuracy, &Accuracy::auc);
  out["auc_interval"] = interval(price.accuracy, &Accuracy::auc_interval);
  out["sensitivity"] = number(price.accuracy, &Accuracy::sensitivity);
  out["sensitivity_interval"] = interval(price.accuracy, &Accuracy::sensitivity_interval);
  out["specificity"] = number(price.accuracy, &Accuracy::specificity);
  out["specificity_interval"] = interval(price.accuracy, &Accuracy::specificity_interval);
}

Json size_json(const Panel& panel, std::size_t size) {
  const PanelSize& one = panel.sizes[size - 1];
  Json out = {{"size", size}, {"adds", name_of(panel, panel.path[size - 1])}, {"cost", one.cost}};
  add_price(one.price, out);
  out["error_more"] = json_number(one.price.error_more);
  out["error_more_se"] = json_number(one.price.error_more_se);
  out["log_loss_more"] = json_number(one.price.log_loss_more);
  out["log_loss_more_se"] = json_number(one.price.log_loss_more_se);
  out["divergence"] = json_number(one.divergence);
  return out;
}

Json member_json(const Panel& panel, std::size_t i) {
  const PanelMember& member = panel.members[i];
  Json weights = Json::array(), others = Json::array(), set = Json::array();
  for (const QuestionModel& question : model_of(panel).questions) weights.push_back(question.features.weight[i]);
  for (const StandIn& other : member.stand_ins)
    others.push_back({{"name", name_of(panel, other.feature)}, {"loss", other.loss}, {"share", other.share}});
  for (const std::uint32_t l : member.credible_set) set.push_back(name_of(panel, l));
  return {{"name", name_of(panel, member.feature)},
          {"weights", weights},
          {"share", member.share},
          {"stand_ins", others},
          {"credible_set", set}};
}

}  // namespace

std::string panel_text(const Panel& panel, const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> shown = sizes;
  if (shown.empty()) {
    shown.resize(panel.sizes.size());
    std::iota(shown.begin(), shown.end(), 1);
  }
  std::string out = fmt::format(
      "{} samples, {} features; the fit of all of them: {} error {:.1f} %, log loss {:.3f}\n"
      "panels see {}\nprices by {} folds{}, each with fit and search done again without it\n",
      panel.fit.data.samples, panel.fit.data.features, left_out(panel.fit.loo), 100 * panel.fit.loo.error,
      panel.fit.loo.log_loss, seen_as(panel), panel.folds,
      panel.repeats > 1 ? fmt::format(", dealt {} times", panel.repeats) : "");
  out += price_head(panel);
  for (const std::size_t size : shown) {
    if (size < 1 || size > panel.sizes.size()) continue;
    out += price_line(panel, std::to_string(size), panel.sizes[size - 1].price);
    if (cost_differs(panel)) out += fmt::format(" {:>8.4g}", panel.sizes[size - 1].cost);
    out += "  " + plain(name_of(panel, panel.path[size - 1])) + "\n";
  }
  out += price_line(panel, "whole", panel.whole) + "\n";
  out += suggestion(panel) + members_table(panel);
  if (panel.fit.permutation.not_shown())
    out += fmt::format(
        "\nnot shown that the features tell the classes apart at all (p = {:.2g}): neither do these panels\n",
        panel.fit.permutation.p);
  for (const Warning& w : panel.fit.warnings)
    out += fmt::format("\nwarning [{}]: {}\n  cure: {}\n", w.name, plain(w.text), plain(w.cure));
  return out;
}

namespace {

Json panel_object(const Panel& panel) {
  Json whole, sizes = Json::array(), members = Json::array(), path = Json::array(), reference = Json::array();
  add_price(panel.whole, whole);
  for (std::size_t size = 1; size <= panel.sizes.size(); ++size) sizes.push_back(size_json(panel, size));
  for (std::size_t i = 0; i < panel.members.size(); ++i) members.push_back(member_json(panel, i));
  for (const std::uint32_t l : panel.path) path.push_back(name_of(panel, l));
  for (const std::uint32_t l : panel.reference) reference.push_back(name_of(panel, l));
  Json out = {{"samples", panel.fit.data.samples},
              {"features", panel.fit.data.features},
              {"classes", classes_json(panel.fit)},
              {"transform", to_string(model_of(panel).preprocessing.transform)}};
  out["normalise"] = reference;
  add_accuracy(panel.fit, out);
  out["folds"] = panel.folds;
  out["repeats"] = panel.repeats;
  out["path"] = path;
  out["sizes"] = sizes;
  out["whole"] = whole;
  out["suggested"] = panel.suggested > 0 ? Json(panel.suggested) : Json(nullptr);
  out["size"] = panel.size;
  out["margin"] = panel.margin;
  out["members"] = members;
  out["permutation"] = permutation_json(panel.fit);
  out["notes"] = panel.fit.data.notes;
  out["warnings"] = warnings_json(panel.fit);
  return out;
}

}  // namespace

std::string panel_json(const Panel& panel) { return document(panel_object(panel)); }

Json panel_page_data(const Panel& panel, const ReportContext& context) {
  Json out = {{"kind", "panel"}, {"version", CAVITY_VERSION}, {"command", context.command}, {"file", context.file}};
  out.update(panel_object(panel));
  for (std::size_t i = 0; i < panel.members.size(); ++i)
    out["members"][i]["values"] = numbers_json(panel.members[i].values);
  out["sample_class"] = panel.fit.data.classes;
  out["citation"] = citation();
  out["fit"] = report_data(panel.fit, context);
  return out;
}

std::string panel_page(const Panel& panel, const ReportContext& context) {
  return html_report(panel_page_data(panel, context));
}

Model panel_model(const Panel& panel, std::size_t size) {
  const Fit& fit = panel.sizes.at(size - 1).fit;
  Model out = fit.model;
  out.summary_json = fit_json(fit, {.loo = true, .features = 0});
  return out;
}

}  // namespace cavity
