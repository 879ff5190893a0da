#include "report/boundary_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "file/messages.hpp"
#include "report/json_parts.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;

constexpr double least_relevance = 0.005;  // of all

std::vector<std::size_t> most_relevant(const BoundaryFit& boundary, std::size_t most) {
  std::vector<std::size_t> out = ranked(boundary.relevance, most);
  std::erase_if(out, [&](std::size_t l) { return boundary.relevance[l] < least_relevance; });
  return out;
}

std::string verdict(const BoundaryFit& b) {
  const std::string by = fmt::format("{}log loss {:.3f} straight, {:.3f} bent, difference {:.3f} +- {:.3f}",
                                     b.of_kernels ? "of kernels of all features " : "", b.straight_log_loss,
                                     b.bent_log_loss, b.log_loss_gain, b.log_loss_gain_se);
  if (b.share == 0) return fmt::format("a straight boundary is enough: {}\n", by);
  return fmt::format("{}: {}; its share is {:.0f} %, and inclusion and weights are of the straight one\n",
                     b.bent_is_better() ? "a bent boundary predicts better than a straight one"
                                        : "a bent boundary has a part in the answer",
                     by, 100 * b.share);
}

/// The features that act together, by how much the effect of one on the probability depends on the other; empty: none.
std::string pair_words(const BentRule& rule, const std::vector<std::string>& names) {
  constexpr double least = 0.2;  // of probability: below, they act next to each other
  constexpr std::size_t most = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(most, rule.pairs.size()); ++i)
    if (const FeaturePair& pair = rule.pairs[i]; pair.strength >= least)
      out += fmt::format("{}{} with {} {:.2f}", out.empty() ? "" : ", ", plain(names[pair.first]),
                         plain(names[pair.second]), pair.strength);
  return out.empty() ? "" : fmt::format("  act together: {}\n", out);
}

std::string rule_words(const BentRule& rule, const std::vector<std::string>& names) {
  std::string out;
  for (const FeatureEffect& effect : rule.features)
    out += fmt::format("{}{} {:.3f}", out.empty() ? "" : ", ", plain(names[effect.feature]), effect.relevance);
  return out.empty() ? "" : fmt::format("  relevance inside the bent boundary: {}\n{}", out, pair_words(rule, names));
}

Json effect_json(const FeatureEffect& effect) {
  return {{"value", numbers_json(effect.value)},
          {"probability", numbers_json(effect.probability)},
          {"low", numbers_json(effect.low)},
          {"high", numbers_json(effect.high)}};
}

Json pairs_json(const BentRule& rule, const std::vector<std::string>& names) {
  Json out = Json::array();
  for (const FeaturePair& pair : rule.pairs)
    out.push_back({{"first", names[pair.first]},
                   {"second", names[pair.second]},
                   {"strength", json_number(pair.strength)},
                   {"first_value", numbers_json(pair.first_value)},
                   {"second_value", numbers_json(pair.second_value)},
                   {"probability", rows_json(pair.probability, pair.second_value.size())}});
  return out;
}

}  // namespace

std::string boundary_text(const Fit& fit) {
  const BoundaryFit& first = fit.questions.front().boundary;
  if (!first.known()) return fmt::format("boundary: straight ({})\n", first.why_none);
  const bool none_bent = std::ranges::all_of(fit.questions, [](const QuestionFit& q) { return q.boundary.share == 0; });
  if (none_bent && fit.permutation.not_shown()) return "";  // neither is shown to do anything
  if (fit.questions.size() == 1) return verdict(first) + rule_words(first.rule, fit.model.preprocessing.feature_names);
  const auto bent = std::ranges::count_if(fit.questions, [](const QuestionFit& q) { return q.boundary.share > 0; });
  double gain = 0;
  for (const QuestionFit& q : fit.questions)
    gain += q.boundary.log_loss_gain / static_cast<double>(fit.questions.size());
  if (bent > 0)
    return fmt::format(
        "bent boundaries have a part in {} of {} classes: they take away {:.3f} of the log loss of a class against the "
        "rest on average\n",
        bent, fit.questions.size(), gain);
  // A class between others is bent against the rest, and straight beside them.
  const bool apart =
      std::ranges::any_of(fit.questions, [](const QuestionFit& q) { return q.boundary.bent_is_better(); });
  return fmt::format(
      "straight boundaries are enough: bent ones change the log loss of a class against the rest by {:.3f} on "
      "average{}\n",
      -gain, apart ? ", and do not pay once the classes are joined" : "");
}

Json boundary_json(const BoundaryFit& b, const Model& model, std::size_t features) {
  const auto number = [&](double value) { return b.known() ? json_number(value) : Json(nullptr); };
  Json out = {{"compared", b.known()},
              {"why_not", b.known() ? Json(nullptr) : Json(b.why_none)},
              {"of_kernels", b.of_kernels},
              {"share", b.share},
              {"pruned_share", b.pruned_share},
              {"straight_log_loss", number(b.straight_log_loss)},
              {"bent_log_loss", number(b.bent_log_loss)},
              {"log_loss_gain", number(b.log_loss_gain)},
              {"log_loss_gain_se", number(b.log_loss_gain_se)},
              {"straight_error", number(b.straight_error)},
              {"bent_error", number(b.bent_error)},
              {"error_gain", number(b.error_gain)},
              {"error_gain_se", number(b.error_gain_se)},
              {"relevant", Json::array()}};
  const std::vector<std::string>& names = model.preprocessing.feature_names;
  for (const std::size_t l : most_relevant(b, std::max(features, b.rule.features.size()))) {
    const auto effect = std::ranges::find(b.rule.features, l, &FeatureEffect::feature);
    out["relevant"].push_back({{"name", names[l]},
                               {"relevance", b.relevance[l]},
                               {"effect", effect == b.rule.features.end() ? Json(nullptr) : effect_json(*effect)}});
  }
  out["pairs"] = pairs_json(b.rule, names);
  return out;
}

std::string bent_rule_words(const BentRule& rule, const Model& model, std::size_t question) {
  return fmt::format("a bent boundary has {:.0f} % of the answer{}\n{}",
                     100 * model.questions[question].mixture.bent.share,
                     model.questions.size() == 1 ? "" : " for " + plain(model.class_names[model.of_class(question)]),
                     rule_words(rule, model.preprocessing.feature_names));
}

Json bent_rule_json(const BentRule& rule, const Model& model, std::size_t question) {
  const std::vector<std::string>& names = model.preprocessing.feature_names;
  Json out = {{"class", model.class_names[model.of_class(question)]},
              {"share", model.questions[question].mixture.bent.share},
              {"relevant", Json::array()},
              {"pairs", pairs_json(rule, names)}};
  for (const FeatureEffect& effect : rule.features)
    out["relevant"].push_back(
        {{"name", names[effect.feature]}, {"relevance", effect.relevance}, {"effect", effect_json(effect)}});
  return out;
}

}  // namespace cavity
