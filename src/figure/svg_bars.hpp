// Bars over named categories, several series side by side, as a stand-alone SVG document. Fills differ in shade and
// hatching, so it reads in greyscale.
#pragma once

#include <string>
#include <vector>

namespace cavity {

struct BarSeries {
  std::string name;
  std::vector<double> height;  // a category
};

struct BarChart {
  std::string title, x_label, y_label;
  std::vector<std::string> categories;
  std::vector<BarSeries> series;  // at most 4
};

std::string svg_bars(const BarChart& chart);

}  // namespace cavity
