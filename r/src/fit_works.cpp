// fit, the fit on halves of the samples, and simulated data.
#include <nlohmann/json.hpp>

#include "cavity/fit.hpp"
#include "cavity/report.hpp"
#include "cavity/simulate.hpp"
#include "cavity/stability.hpp"
#include "describe.hpp"
#include "fitted.hpp"
#include "request.hpp"
#include "table/question.hpp"
#include "works.hpp"

using namespace cavity;

cavity_value fit_work(cavity_job& job) {
  auto fitted = std::make_shared<Fitted>();
  FitOptions options = options_of(job.arguments.at("options"), job);
  Fit& result = fitted->fit = fit(dataset_of(job.arguments), options);
  if (result.data.sample_names.empty()) result.data.sample_names = default_names("", result.data.samples);
  result.model.summary_json = fit_json(result, {.loo = true, .features = 0, .seed = options.solver.seed});
  options.observer = {};  // it refers to the job
  fitted->options = std::move(options);
  return describe(fitted);
}

cavity_value stability_work(cavity_job& job) {
  const cavity_value& asked = job.arguments;
  StabilityOptions options{options_of(asked.at("options"), job),
                           static_cast<std::size_t>(asked.at("pairs").number()),
                           static_cast<std::size_t>(asked.at("selected").number()),
                           {},
                           asked.at("threshold").number()};
  if (const cavity_value* rate = asked.find("fdr")) options.rate = rate->number();
  options.fit.observer.progress = {};
  options.progress = [&job](std::size_t done, std::size_t all) { return job.report(done, all); };
  Dataset data = dataset_of(asked);
  const std::vector<std::string> names = data.feature_names;
  const Stability found = stability(std::move(data), options);
  cavity_value out;
  out.put("feature", names);
  out.put("inclusion", found.fit.model.questions.front().features.inclusion);
  out.put("mean", found.mean);
  out.put("sd", found.sd);
  out.put("share", found.share);
  out.put("stable", std::vector<int>(found.stable.begin(), found.stable.end()));
  out.add("summary") = value_of(nlohmann::ordered_json::parse(stability_json(found, 0)));
  return out;
}

cavity_value simulate_work(cavity_job& job) {
  const auto number = [&job](const char* name) { return job.arguments.at(name).number(); };
  Simulation made = simulate({static_cast<std::size_t>(number("samples")), static_cast<std::size_t>(number("features")),
                              number("teacher"), number("noise"), static_cast<std::uint64_t>(number("seed"))});
  const FeatureMatrix& x = made.data.features.dense();
  cavity_value out;
  out.put_rows("x", x.values, x.cols);
  const std::vector<std::int8_t> y = against_rest(made.data.classes, 1);
  out.put("y", std::vector<int>(y.begin(), y.end()));
  out.put("teacher", made.teacher);
  out.put("feature_names", made.data.feature_names);
  return out;
}
