#include "reproduce/section.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/svg_parts.hpp"
#include "report/svg_plot.hpp"

namespace cavity {

namespace {

constexpr const char* style =
    "body{font:16px/1.5 Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "h1,h2{font-family:Helvetica,Arial,sans-serif}table{border-collapse:collapse;margin:1rem 0;font-size:.9rem}"
    "th,td{border-bottom:1px solid #ccc;padding:.25rem .7rem;text-align:right}"
    "th:first-child,td:first-child{text-align:left}svg{max-width:100%;height:auto}figure{margin:1rem 0}";

}  // namespace

void Section::paragraph(const std::string& text) {
  html_ += "<p>" + svg::escaped(text) + "</p>\n";
  text_ += text + "\n";
}

void Section::table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  html_ += "<table>\n<tr>";
  for (const auto& cell : head) html_ += "<th>" + svg::escaped(cell) + "</th>";
  html_ += "</tr>\n";
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
  for (const auto& row : rows) {
    html_ += "<tr>";
    for (const auto& cell : row) html_ += "<td>" + svg::escaped(cell) + "</td>";
    html_ += "</tr>\n";
    print(row);
  }
  html_ += "</table>\n";
}

void Section::csv(const std::string& name, std::string content) {
  html_ += fmt::format("<p>Numbers: <a href=\"{0}.csv\">{0}.csv</a></p>\n", name);
  if (!content.empty()) files_.push_back({name + ".csv", std::move(content)});
}

void Section::add_picture(const std::string& name, const std::string& svg) {
  html_ += "<figure>\n" + svg + "</figure>\n";
  files_.push_back({name + ".svg", svg});
}

void Section::picture(const std::string& name, const Figure& figure) { add_picture(name, svg_plot(figure)); }
void Section::picture(const std::string& name, const BarChart& chart) { add_picture(name, svg_bars(chart)); }

std::string page(const std::vector<Section>& sections, bool quick) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>cavity: the paper, "
      "reproduced</title>\n<style>{}</style></head>\n<body>\n<h1>The paper, reproduced</h1>\n"
      "<p>Figures and tables of Uda and Kabashima, Statistical Mechanical Development of a Sparse Bayesian Classifier, "
      "J. Phys. Soc. Jpn. 74 (2005) 2233, computed by cavity " CAVITY_VERSION ".{}</p>\n",
      style, quick ? " <strong>A quick run: smaller problems and fewer repetitions than in print.</strong>" : "");
  for (const Section& section : sections)
    out += fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", svg::escaped(section.title()), section.html());
  return out + "</body>\n</html>\n";
}

}  // namespace cavity
