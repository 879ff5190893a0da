// ablation TRAIN LABELS TEST LABELS [RULE ...]: a default fit of TRAIN without the rules that are named, and what it
// says of TEST, as a line of JSON: error and log loss of the new samples, the same of those left out, the fit's CPU
// seconds. LABELS: one a line, or - where the table has them. `ablation --rules` prints the names.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/prediction.hpp"
#include "cavity/read.hpp"
#include "search/policies.hpp"

namespace {

using cavity::FitOptions;
using cavity::Policies;

std::function<void(FitOptions&)> off(bool Policies::*rule) {
  return [rule](FitOptions&) { cavity::policies().*rule = false; };
}

const std::map<std::string, std::function<void(FitOptions&)>> rules = {
    {"pilot", off(&Policies::pilot)},
    {"both_forms", off(&Policies::both_forms)},
    {"scouting", off(&Policies::scouting)},
    {"loose", off(&Policies::loose)},
    {"served_columns", off(&Policies::served_columns)},
    {"few_by_folds", off(&Policies::few_by_folds)},
    {"gamp_by_folds", off(&Policies::gamp_by_folds)},
    {"stacking", off(&Policies::stacking)},
    {"smallest_weight", off(&Policies::smallest_weight)},
    {"cross_fitting", off(&Policies::cross_fitting)},
    {"more_draws", off(&Policies::more_draws)},
    {"others_recalibrated", off(&Policies::others_recalibrated)},
    {"nothing", off(&Policies::nothing)},
    {"together", off(&Policies::together)},
    {"coupled_joining", off(&Policies::coupled_joining)},
    {"sampled_cells", [](FitOptions& o) { o.grid.sparsest = false; }},
    {"recalibrate", [](FitOptions& o) { o.selection.recalibrate = false; }},
    {"bent", [](FitOptions& o) { o.boundary = cavity::Boundary::straight; }},
};

struct Losses {
  double error = 0, log_loss = 0;
};
/// `probability`: samples x classes.
Losses losses(std::span<const double> probability, std::span<const std::uint32_t> classes, std::size_t count) {
  Losses out;
  for (std::size_t mu = 0; mu < classes.size(); ++mu) {
    const auto own = probability.subspan(mu * count, count);
    // Of equal ones the last, as predictions are called.
    std::size_t called = 0;
    for (std::size_t k = 0; k < count; ++k)
      if (own[k] >= own[called]) called = k;
    out.error += called != classes[mu];
    out.log_loss -= std::log(std::clamp(own[classes[mu]], 1e-6, 1 - 1e-6));
  }
  out.error /= static_cast<double>(classes.size());
  out.log_loss /= static_cast<double>(classes.size());
  return out;
}

std::string labels_file(const std::string& name) { return name == "-" ? "" : name; }

std::string run(std::span<char*> arguments) {
  FitOptions options;
  options.threads = 1;
  for (const char* rule : arguments.subspan(4)) {
    const auto found = rules.find(rule);
    if (found == rules.end()) throw cavity::UsageError(fmt::format("there is no rule `{}`: see --rules", rule));
    found->second(options);
  }
  cavity::Dataset train =
      cavity::read_dataset(arguments[0], {.labels_file = labels_file(arguments[1]), .compact = true});
  const std::clock_t start = std::clock();
  const cavity::Fit fit = cavity::fit(std::move(train), options);
  const double cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  cavity::Dataset test = cavity::read_dataset(
      arguments[2],
      {.labels_file = labels_file(arguments[3]), .expected_classes = fit.model.class_names, .compact = true});
  const std::vector<std::uint32_t> classes = test.classes;
  const cavity::Prediction said = cavity::predict(fit.model, std::move(test), 1);
  const Losses found = losses(said.probabilities, classes, said.classes);
  return nlohmann::json({{"error", found.error},
                         {"log_loss", found.log_loss},
                         {"loo_error", fit.loo.error},
                         {"loo_log_loss", fit.loo.log_loss},
                         {"cpu_s", cpu}})
      .dump();
}

}  // namespace

int main(int count, char** values) {
  const std::span<char*> arguments(values + 1, static_cast<std::size_t>(count - 1));
  try {
    if (arguments.size() == 1 && std::string(arguments[0]) == "--rules") {
      for (const auto& rule : rules) fmt::print("{}\n", rule.first);
      return 0;
    }
    if (arguments.size() < 4) throw cavity::UsageError("ablation TRAIN LABELS TEST LABELS [RULE ...], or --rules");
    fmt::print("{}\n", run(arguments));
  } catch (const cavity::UsageError& wrong) {
    fmt::print(stderr, "{}\n", wrong.what());
    return 2;
  } catch (const std::exception& failed) {
    fmt::print(stderr, "{}\n", failed.what());
    return 3;
  }
}
