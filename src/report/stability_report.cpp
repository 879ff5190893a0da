// Inclusion on all samples beside what halves of them say.
#include <fmt/format.h>

#include <algorithm>

#include "base/ranking.hpp"
#include "cavity/report.hpp"
#include "report/csv_field.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"
#include "report/text_parts.hpp"
#include "report/verdict.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;

/// The most often selected first, ties by inclusion.
std::vector<std::size_t> ranked(const Stability& s) {
  const auto& inclusion = s.fit.model.questions.front().features.inclusion;
  return falling_order(s.share.size(), [&](std::size_t l) { return std::pair(s.share[l], inclusion[l]); });
}

std::string group_name(const Stability& s, const GroupStability& group) {
  std::string out;
  for (const auto l : group.features) {
    if (!out.empty()) out += "|";
    out += plain(s.fit.model.preprocessing.feature_names[l]);
  }
  return out;
}

std::vector<const GroupStability*> ranked_groups(const Stability& s) {
  std::vector<const GroupStability*> out;
  for (const GroupStability& group : s.groups) out.push_back(&group);
  std::ranges::stable_sort(out, std::greater{},
                           [](const GroupStability* g) { return std::pair(g->share, g->inclusion); });
  return out;
}

std::string line(const std::string& name, double inclusion, double mean, double sd, double share) {
  return fmt::format("{:<24} {:>9.3f} {:>9.3f} {:>7.3f} {:>9.2f}\n", name, inclusion, mean, sd, share);
}

std::string bound(const Stability& s) {
  return fmt::format(
      "\n{} feature{} at {:.0f} % of the halves or more. Of these at most {:.2g} are expected to be false, if a false "
      "feature is one that\na half selects no more often than a feature drawn at random ({:.3g} of {} a half); nothing "
      "else is assumed.\n",
      s.stable.size(), s.stable.size() == 1 ? "" : "s", 100 * s.threshold, s.most_expected_false, s.mean_selected,
      s.fit.model.preprocessing.inputs());
}

}  // namespace

std::string stability_text(const Stability& s, std::size_t top) {
  const FeatureEstimates& whole = s.fit.model.questions.front().features;
  const std::string halves =
      s.halves > 0 ? fmt::format("{} halves in complementary pairs", s.halves) : "the average over all halves";
  std::string out = verdict_words(s.fit) + "\n";
  out += fmt::format("{} samples, {} features; leave-one-{}out error {:.1f} %\n{}, {:.3g} features selected in each\n",
                     s.fit.data.samples, s.fit.data.features, s.fit.loo.groups > 0 ? "group-" : "",
                     100 * s.fit.loo.error, halves, s.mean_selected);
  if (s.failed > 0) out += fmt::format("{} more halves had no cell that converged, and are left out\n", s.failed);
  out += fmt::format("\n{:<24} {:>9} {:>9} {:>7} {:>9}\n{:<24} {:>9} {:>17} {:>9}\n", "feature", "inclusion", "mean",
                     "sd", "selected", "", "(all)", "(over halves)", "(share)");
  const auto order = ranked(s);
  for (std::size_t i = 0; i < std::min(top, order.size()); ++i)
    out += line(wide_name(s.fit.model.preprocessing.feature_names[order[i]]), whole.inclusion[order[i]],
                s.mean[order[i]], s.sd[order[i]], s.share[order[i]]);
  const auto groups = ranked_groups(s);
  if (!groups.empty() && top > 0) out += "\ncorrelated features: one of them is selected\n";
  for (std::size_t i = 0; i < std::min(top, groups.size()); ++i)
    out += line(wide_name(group_name(s, *groups[i])), groups[i]->inclusion, groups[i]->mean, groups[i]->sd,
                groups[i]->share);
  out += bound(s);
  for (const Warning& w : s.fit.warnings)
    out += fmt::format("\nwarning [{}]: {}\n  cure: {}\n", w.name, plain(w.text), plain(w.cure));
  return out;
}

std::string stability_json(const Stability& s, std::size_t top) {
  const FeatureEstimates& whole = s.fit.model.questions.front().features;
  const auto& names = s.fit.model.preprocessing.feature_names;
  Json features = Json::array(), correlated = Json::array(), stable = Json::array();
  const auto order = ranked(s);
  for (std::size_t i = 0; i < order.size() && (i < top || s.share[order[i]] > 0); ++i) {
    const std::size_t l = order[i];
    features.push_back({{"name", names[l]},
                        {"inclusion", whole.inclusion[l]},
                        {"mean", s.mean[l]},
                        {"sd", s.sd[l]},
                        {"share", s.share[l]}});
  }
  for (const GroupStability* group : ranked_groups(s)) {
    Json members = Json::array();
    for (const auto l : group->features) members.push_back(names[l]);
    correlated.push_back({{"features", members},
                          {"inclusion", group->inclusion},
                          {"mean", group->mean},
                          {"sd", group->sd},
                          {"share", group->share}});
  }
  for (const auto l : s.stable) stable.push_back(names[l]);
  Json out = {
      {"samples", s.fit.data.samples}, {"features", s.fit.data.features}, {"halves", s.halves}, {"failed", s.failed}};
  out["verdict"] = verdict_json(s.fit);
  add_accuracy(s.fit, out);
  out["mean_selected"] = s.mean_selected;
  out["threshold"] = s.threshold;
  out["stable"] = stable;
  out["most_expected_false"] = s.most_expected_false;
  out["top_features"] = features;
  out["correlated"] = correlated;
  out["notes"] = s.fit.data.notes;
  out["warnings"] = warnings_json(s.fit);
  return document(out);
}

std::string stability_page(const Stability& s, const ReportContext& context) {
  constexpr std::size_t least_rows = 50, most_rows = 1000;
  Json table;
  for (const char* column : {"name", "inclusion", "mean", "sd", "share"}) table[column] = Json::array();
  const auto order = ranked(s);
  for (std::size_t i = 0; i < std::min(order.size(), most_rows) && (i < least_rows || s.share[order[i]] > 0); ++i) {
    const std::size_t l = order[i];
    table["name"].push_back(s.fit.model.preprocessing.feature_names[l]);
    table["inclusion"].push_back(s.fit.model.questions.front().features.inclusion[l]);
    table["mean"].push_back(s.mean[l]);
    table["sd"].push_back(s.sd[l]);
    table["share"].push_back(s.share[l]);
  }
  Json page = report_data(s.fit, context);
  page["stability"] = {{"halves", s.halves},
                       {"mean_selected", s.mean_selected},
                       {"threshold", s.threshold},
                       {"stable", s.stable.size()},
                       {"most_expected_false", s.most_expected_false},
                       {"table", table}};
  return html_report(page);
}

std::string stability_csv(const Stability& s) {
  std::string out = "feature,inclusion,mean,sd,share\n";
  for (const std::size_t l : ranked(s))
    out += fmt::format("{},{},{},{},{}\n", csv_field(s.fit.model.preprocessing.feature_names[l]),
                       s.fit.model.questions.front().features.inclusion[l], s.mean[l], s.sd[l], s.share[l]);
  return out;
}

}  // namespace cavity
