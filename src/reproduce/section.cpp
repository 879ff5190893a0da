#include "reproduce/section.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "figure/svg_plot.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;

Json numbers_json(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(json_number(v));
  return out;
}

Json series_json(const Series& s, std::size_t position) {
  const bool line = s.style != SeriesStyle::markers, markers = s.style != SeriesStyle::line;
  return {{"name", s.name},
          {"x", numbers_json(s.x)},
          {"y", numbers_json(s.y)},
          {"low", numbers_json(s.y_low)},
          {"high", numbers_json(s.y_high)},
          {"line", line},
          {"markers", markers},
          {"look", s.look.value_or(position)}};
}

Json figure_json(const std::string& name, const Chart& f) {
  Json out{{"kind", "lines"},      {"name", name},     {"title", f.title}, {"x_label", f.x_label},
           {"y_label", f.y_label}, {"log_x", f.log_x}, {"log_y", f.log_y}, {"series", Json::array()}};
  for (const Series& s : f.series) out["series"].push_back(series_json(s, out["series"].size()));
  return out;
}

Json bars_json(const std::string& name, const BarChart& chart) {
  Json out{{"kind", "bars"},           {"name", name},
           {"title", chart.title},     {"x_label", chart.x_label},
           {"y_label", chart.y_label}, {"categories", chart.categories},
           {"series", Json::array()}};
  for (const BarSeries& s : chart.series)
    out["series"].push_back({{"name", s.name}, {"height", numbers_json(s.height)}});
  return out;
}

Json printed_json(const PrintedChart& chart) {
  Json rows = Json::array();
  for (const auto& row : chart.rows) {
    rows.push_back({{"name", row.name}, {"mean", json_number(row.mean)}, {"sd", json_number(row.sd)}});
    rows.back()["print"] = row.print ? Json{row.print->first, row.print->second} : Json(nullptr);
  }
  return {{"kind", "printed"}, {"title", chart.title}, {"x_label", chart.x_label}, {"rows", rows}};
}

}  // namespace

void Section::paragraph(const std::string& text) {
  parts_.push_back({{"kind", "paragraph"}, {"text", text}});
  text_ += text + "\n";
}

void Section::table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  parts_.push_back({{"kind", "table"}, {"head", head}, {"rows", rows}});
  std::vector<std::size_t> width;
  for (const auto& cell : head) width.push_back(cell.size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  const auto print = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text_ += i == 0 ? fmt::format("{:<{}}", row[i], width[i]) : fmt::format("  {:>{}}", row[i], width[i]);
    text_ += "\n";
  };
  print(head);
  for (const auto& row : rows) print(row);
}

void Section::csv(const std::string& name, const std::string& content) {
  parts_.push_back({{"kind", "csv"}, {"file", name + ".csv"}, {"content", content}});
  files_.push_back({name + ".csv", content});
}

void Section::picture(const std::string& name, const Chart& figure) {
  parts_.push_back(figure_json(name, figure));
  files_.push_back({name + ".svg", svg_plot(figure)});
}

void Section::picture(const std::string& name, const BarChart& chart) {
  parts_.push_back(bars_json(name, chart));
  files_.push_back({name + ".svg", svg_bars(chart)});
}

void Section::picture(const PrintedChart& chart) { parts_.push_back(printed_json(chart)); }

Json reproduce_page_data(const std::vector<Section>& sections, const ReproduceOptions& options,
                         const std::string& command) {
  Json out{{"kind", "reproduce"},
           {"version", CAVITY_VERSION},
           {"command", command},
           {"quick", options.quick},
           {"seed", std::to_string(options.seed)},
           {"sections", Json::array()}};
  for (const Section& section : sections)
    out["sections"].push_back({{"name", section.name()}, {"title", section.title()}, {"parts", section.parts()}});
  out["citation"] = citation();
  return out;
}

}  // namespace cavity
