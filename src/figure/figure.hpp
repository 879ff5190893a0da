// A line plot as data: what is drawn, not how. svg_plot and text_plot draw it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cavity {

enum class SeriesStyle { line, markers, line_and_markers };

struct Series {
  std::string name;  // in the legend; empty: not listed
  std::vector<double> x, y;
  std::vector<double> y_low = {}, y_high = {};  // ends of the error bars, all or none
  SeriesStyle style = SeriesStyle::line;
  std::optional<std::size_t> look = {};  // colour, dash and marker; default: the position among the series
};

struct Chart {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  bool log_x = false, log_y = false;
  std::optional<std::pair<double, double>> x_range = {}, y_range = {};  // default: what the series need
};

}  // namespace cavity
