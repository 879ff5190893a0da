// Panels of every size, and the pages of what R keeps as a page's data.
#include <nlohmann/json.hpp>
#include <ostream>

#include "cavity/model_file.hpp"
#include "cavity/panel_report.hpp"
#include "describe.hpp"
#include "file/atomic_file.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"
#include "report/panel_page.hpp"
#include "request.hpp"
#include "works.hpp"

using namespace cavity;

namespace {

std::size_t whole(const cavity_value& asked, const char* name) {
  return static_cast<std::size_t>(asked.at(name).number());
}

PanelOptions panel_options_of(const cavity_value& asked, cavity_job& job) {
  PanelOptions out;
  out.fit = options_of(asked.at("options"), job);
  out.fit.observer.progress = {};
  out.most = whole(asked, "most");
  out.size = whole(asked, "size");
  out.folds = whole(asked, "folds");
  out.repeats = whole(asked, "repeats");
  out.margin = asked.at("margin").number();
  out.must = asked.at("must").texts();
  out.never = asked.at("never").texts();
  out.from = asked.at("among").texts();
  out.normalise = asked.at("normalise").texts();
  const std::vector<std::string> dear = asked.at("cost_of").texts();
  const auto prices = asked.at("cost").numbers();
  for (std::size_t i = 0; i < dear.size(); ++i) out.price.emplace_back(dear[i], prices[i]);
  out.progress = [&job](std::size_t done, std::size_t all) { return job.report(done, all); };
  return out;
}

}  // namespace

cavity_value panel_work(cavity_job& job) {
  PanelOptions options = panel_options_of(job.arguments, job);
  Panel found = panel(dataset_of(job.arguments), options);
  options.fit.observer = {};  // it refers to the job
  cavity_value out;
  out.put("page", dumped(panel_page_data(found, {"", "", options.fit})));
  cavity_value& models = out.add("models");
  for (std::size_t size = 1; size <= found.sizes.size(); ++size) {
    const std::string bytes = model_bytes(panel_model(found, size));
    models.add("").held = Elements<unsigned char>{{bytes.begin(), bytes.end()}};
  }
  found.fit = spell_options(std::move(found.fit), OptionStyle::python);
  out.add("summary") = value_of(nlohmann::ordered_json::parse(panel_json(found)));
  out.put("text", panel_text(found));
  return out;
}

cavity_value page_work(cavity_job& job) {
  const cavity_value& asked = job.arguments;
  nlohmann::ordered_json shown = nlohmann::ordered_json::parse(asked.at("page").text());
  const auto head = [&asked](nlohmann::ordered_json& section) {
    section["file"] = asked.at("name").text();
    section["command"] = asked.at("command").text();
  };
  head(shown);
  if (shown.contains("fit")) head(shown["fit"]);
  const std::string page = html_report(shown, asked.at("template").text());
  write_file_atomically(asked.at("file").text(), [&](std::ostream& out) { out << page; });
  return {};
}
