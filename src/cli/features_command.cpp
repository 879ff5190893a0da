#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "file/messages.hpp"
#include "report/boundary_report.hpp"
#include "report/csv_field.hpp"
#include "report/json_parts.hpp"
#include "report/result_csv.hpp"
#include "report/verdict.hpp"

namespace cavity::cli {

namespace {

struct FeaturesArguments {
  std::string model, of_class;
  std::optional<double> fdr;
  bool correlated = false, sets = false, json = false;
};

std::string as_json(const Model& model, const char* what, nlohmann::ordered_json list) {
  return document({{"classes", model.class_names}, {what, std::move(list)}});
}

// Correlated ones stand as one feature: their names joined, inclusions summed, all else that of the most included.
std::vector<Feature> with_correlated_as_one(const Model& model) {
  const OverallEstimates features = overall_features(model);
  const auto feature = [&](std::size_t l) { return feature_at(model, features, l); };
  std::vector<bool> taken(features.inclusion.size(), false);
  std::vector<Feature> out;
  for (const auto& together : model.correlated) {
    Feature all;
    double top = -1, sum = 0;
    std::string names;
    for (const auto l : together) {
      taken[l] = true;
      names += (names.empty() ? "" : "|") + model.preprocessing.feature_names[l];
      sum += features.inclusion[l];
      if (features.inclusion[l] <= top) continue;
      top = features.inclusion[l];
      all = feature(l);
    }
    all.name = names;
    all.inclusion = sum;
    all.inclusion = std::min(all.inclusion, 1.0);
    out.push_back(all);
  }
  for (std::size_t l = 0; l < taken.size(); ++l)
    if (!taken[l]) out.push_back(feature(l));
  std::stable_sort(out.begin(), out.end(),
                   [](const Feature& a, const Feature& b) { return a.inclusion > b.inclusion; });
  return out;
}

// A credible set as one feature, false where none of its members is kept.
std::vector<Feature> sets_as_features(const Model& model) {
  std::vector<Feature> out;
  for (const QuestionModel& question : model.questions)
    for (const CredibleSet& set : question.features.credible_sets) {
      Feature all;
      all.inclusion = set.probability;
      for (const auto l : set.features)
        all.name += (all.name.empty() ? "" : "|") + model.preprocessing.feature_names[l];
      out.push_back(all);
    }
  std::stable_sort(out.begin(), out.end(),
                   [](const Feature& a, const Feature& b) { return a.inclusion > b.inclusion; });
  return out;
}

std::string best_words(const std::vector<Feature>& ranked) {
  constexpr std::size_t longest = 60;
  const std::string& name = ranked[0].name;
  return fmt::format("{}, is false with probability {:.2g}",
                     name.size() > longest ? name.substr(0, longest) + "..." : name, 1 - ranked[0].inclusion);
}

std::string found_words(const std::vector<Feature>& ranked, std::size_t found, const std::string& one) {
  std::vector<double> inclusion;
  for (std::size_t i = 0; i < found; ++i) inclusion.push_back(ranked[i].inclusion);
  return fmt::format("{}, of which {:.2g} are expected to be false", counted(found, one),
                     expected_false(inclusion).back());
}

// An empty list is an answer that has to be said; what correlated features and sets would give stands beside it.
void say_rates(const std::vector<Feature>& features, const FeaturesArguments& a, const Model& model) {
  const double rate = *a.fdr;
  const std::size_t found = discoveries(features, rate);
  const bool together = a.correlated && !model.correlated.empty();
  if (found > 0)
    say(found_words(features, found, together ? "item" : "feature") + "\n");
  else if (!features.empty())
    say(fmt::format("no list keeps its expected false fraction at or below {:g}: the best {}, {}\n", rate,
                    together ? "item" : "single feature", best_words(features)));
  const auto beside = [rate](const std::vector<Feature>& others, const char* what, const std::string& one) {
    if (others.empty()) return;
    const std::size_t count = discoveries(others, rate);
    say(fmt::format("{}: {}\n", what,
                    count > 0 ? found_words(others, count, one) : "none; the best, " + best_words(others)));
  };
  if (!a.correlated && !model.correlated.empty())
    beside(with_correlated_as_one(model), "correlated features as one (--correlated)", "item");
  beside(sets_as_features(model), "credible sets (--sets)", "set");
}

// A line a feature of a set, with the class that the set speaks of where there are more than two.
std::string sets_as_csv(const Model& model) {
  const bool named = model.questions.size() > 1;
  std::string out = fmt::format("set,probability,filled,feature,share,weight{}\n", named ? ",class" : "");
  std::size_t number = 0;
  for (std::size_t q = 0; q < model.questions.size(); ++q)
    for (const CredibleSet& set : model.questions[q].features.credible_sets) {
      ++number;
      for (std::size_t k = 0; k < set.features.size(); ++k)
        out +=
            fmt::format("{},{:.6g},{:.6g},{},{:.6g},{:.6g}{}\n", number, set.probability, set.filled,
                        csv_field(model.preprocessing.feature_names[set.features[k]]), set.share[k],
                        model.questions[q].few(), named ? "," + csv_field(model.class_names[model.of_class(q)]) : "");
    }
  return out;
}

/// The question of the class that was asked for; nothing where none was.
std::optional<std::size_t> asked_question(const Model& model, const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto& names = model.class_names;
  if (model.questions.size() == 1)
    throw UsageError("--class is for models of more than two classes; the weights of this one speak for " +
                     shown(names[1]));
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw UsageError(fmt::format("--class {}: the classes of the model are {}", shown(name), shown_names(names, 10)));
  return static_cast<std::size_t>(found - names.begin());
}

/// What is said of other classes, or of all of them, is left out.
void keep_question(Model& model, std::size_t question) {
  model.correlated.clear();
  for (std::size_t q = 0; q < model.questions.size(); ++q)
    if (q != question) model.questions[q].features.credible_sets.clear();
}

/// What bent boundaries make of features, where these have relevances of their own there: of one question, or of all.
nlohmann::ordered_json bent_list(const Model& model, const std::optional<std::size_t>& question) {
  auto out = nlohmann::ordered_json::array();
  for (std::size_t q = 0; q < model.questions.size(); ++q) {
    if (question && q != *question) continue;
    const BentRule rule = bent_rule(model, q);
    if (rule.features.empty()) continue;
    say(bent_rule_words(rule, model, q));
    out.push_back(bent_rule_json(rule, model, q));
  }
  return out;
}

void run(const FeaturesArguments& a) {
  if (a.fdr && !(*a.fdr >= 0 && *a.fdr < 1)) throw UsageError(fmt::format("--fdr {} is outside [0, 1)", *a.fdr));
  Model model = load_model(a.model);
  const std::optional<std::size_t> question = asked_question(model, a.of_class);
  if (question) keep_question(model, *question);
  const std::string doubt = not_shown_words(model);
  if (!doubt.empty())
    say(fmt::format("{}: inclusions are what chance leaves over{}\n", doubt,
                    a.fdr    ? "; no list by a false rate is given"
                    : a.sets ? "; no credible sets are given"
                             : ""));
  if (a.sets) {
    if (!doubt.empty())
      for (QuestionModel& q : model.questions) q.features.credible_sets.clear();
    print(a.json ? as_json(model, "credible_sets", credible_sets_json(model)) : sets_as_csv(model));
    return;
  }
  std::vector<Feature> features = question       ? ranked_features_of(model, *question)
                                  : a.correlated ? with_correlated_as_one(model)
                                                 : ranked_features(model);
  if (a.fdr && !doubt.empty()) {
    features.clear();
  } else if (a.fdr) {
    say_rates(features, a, model);
    features.resize(discoveries(features, *a.fdr));
  }
  const bool over_classes = model.questions.size() > 1 && !question;
  if (!over_classes) {
    const std::vector<Feature> always = covariate_features(model, question.value_or(0));
    features.insert(features.begin(), always.begin(), always.end());
  }
  const nlohmann::ordered_json bent = bent_list(model, question);
  if (a.json)
    print(document({{"classes", model.class_names}, {"features", features_json(model, features)}, {"bent", bent}}));
  else
    print(feature_csv(model, features, over_classes ? model.class_names : std::vector<std::string>()));
}

}  // namespace

void add_features_command(CLI::App& app) {
  auto a = std::make_shared<FeaturesArguments>();
  CLI::App* command = app.add_subcommand("features", "features of a model, most included first");
  command->add_option("model", a->model, "model file written by fit")->required();
  command->option_defaults()->group("Which");
  command->add_option("--fdr", a->fdr,
                      "only the largest set whose expected false fraction is at most this, such as 0.1 (default: all)");
  command->add_option("--class", a->of_class,
                      "of more than two classes: the list of this one against the rest (default: all, by the largest "
                      "inclusion over the classes)");
  command->add_flag("--correlated", a->correlated, "strongly correlated features as one, with their summed inclusion");
  command->add_flag("--sets", a->sets, "credible sets: which features fill one place of the sparsest cells' model")
      ->excludes("--fdr")
      ->excludes("--correlated");
  command->option_defaults()->group("Output");
  command->add_flag("--json", a->json, "print one JSON object");
  command->callback([a] { run(*a); });
}

}  // namespace cavity::cli
