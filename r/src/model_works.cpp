// A fitted model: its file, its page, its weighted sum, its list of features.
#include <nlohmann/json.hpp>
#include <ostream>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/linear_score.hpp"
#include "cavity/model_file.hpp"
#include "describe.hpp"
#include "file/atomic_file.hpp"
#include "fitted.hpp"
#include "report/html_report.hpp"
#include "request.hpp"
#include "works.hpp"

using namespace cavity;

namespace {

cavity_value described(Model model) {
  auto fitted = std::make_shared<Fitted>();
  fitted->fit.model = std::move(model);
  return describe(fitted);
}

}  // namespace

cavity_value read_model_work(cavity_job& job) { return described(load_model(job.arguments.at("file").text())); }

cavity_value write_model_work(cavity_job& job) {
  save_model(model_of(job), job.arguments.at("file").text());
  return {};
}

cavity_value model_bytes_work(cavity_job& job) {
  const std::string bytes = model_bytes(model_of(job));
  cavity_value out;
  out.add("bytes").held = Elements<unsigned char>{{bytes.begin(), bytes.end()}};
  return out;
}

cavity_value model_from_bytes_work(cavity_job& job) {
  const auto bytes = std::get<Elements<unsigned char>>(job.arguments.at("bytes").held).all();
  return described(model_from_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

cavity_value report_work(cavity_job& job) {
  const cavity_value& asked = job.arguments;
  const Fitted& fitted = *asked.at("model").fitted();
  if (!fitted.options)
    throw UsageError("a model file does not hold what a report needs: fit again, and write the report from that fit");
  nlohmann::ordered_json shown = report_data(fitted.fit, {"", "", *fitted.options});
  shown["file"] = asked.at("name").text();
  shown["command"] = asked.at("command").text();
  const std::string page = html_report(shown, asked.at("template").text());
  write_file_atomically(asked.at("file").text(), [&](std::ostream& out) { out << page; });
  return {};
}

cavity_value linear_score_work(cavity_job& job) {
  const LinearScore score = linear_score(model_of(job));
  std::vector<std::string> names;
  std::vector<double> weights, means, medians, spreads;
  for (const auto* part : {&score.covariates, &score.features})
    for (const LinearScore::Term& term : *part) {
      names.push_back(term.name);
      weights.push_back(term.weight);
      means.push_back(term.mean);
      medians.push_back(term.median);
      spreads.push_back(term.spread);
    }
  cavity_value out;
  out.put("intercept", score.intercept);
  out.put("transform", to_string(score.transform));
  out.put("name", names);
  out.put("weight", std::move(weights));
  out.put("if_missing", std::move(means));
  out.put("median", std::move(medians));
  out.put("spread", std::move(spreads));
  return out;
}

cavity_value discoveries_work(cavity_job& job) {
  const auto ranked = job.arguments.at("inclusion").numbers();
  cavity_value out;
  out.put("count", static_cast<double>(discoveries(ranked, job.arguments.at("fdr").number())));
  return out;
}
