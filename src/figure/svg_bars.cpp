#include "figure/svg_bars.hpp"

#include <algorithm>
#include <array>

#include "figure/axis.hpp"
#include "figure/svg_parts.hpp"

namespace cavity {

namespace {

constexpr double width = 640, height = 440, left = 72, right = 20, top = 40, bottom = 60;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;
constexpr std::array<const char*, 4> fills{"#1b1b1b", "#bdbdbd", "url(#hatch)", "white"};
constexpr const char* hatch =
    "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"white\"/><line x1=\"0\" y1=\"0\" x2=\"0\" "
    "y2=\"5\" stroke=\"#1b1b1b\" stroke-width=\"2.4\"/></pattern></defs>\n";

std::string box(double x, double y, double w, double h, std::size_t series) {
  return fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" stroke=\"#1b1b1b\"/>\n", x, y, w,
      h, fills[series % fills.size()]);
}

// The y axis of an ordinary plot from 0 to a little above the highest bar, so that ticks look the same everywhere.
Axis value_axis(const BarChart& chart) {
  double highest = 0;
  for (const BarSeries& series : chart.series)
    for (const double h : series.height) highest = std::max(highest, h);
  Chart figure;
  figure.y_range = {0.0, highest > 0 ? 1.25 * highest : 1.0};
  return y_axis(figure);
}

std::string frame(const BarChart& chart, const Axis& axis) {
  const double base = top + plot_height;
  std::string out;
  for (const Tick& tick : axis.ticks) {
    const double y = base - plot_height * axis.position(tick.value);
    out += svg::line(left, y, left + plot_width, y, "#e4e4e4") + svg::line(left - 5, y, left, y, "#333") +
           svg::text(left - 8, y + 4, "end", tick.label);
  }
  const double step = plot_width / static_cast<double>(std::max<std::size_t>(chart.categories.size(), 1));
  for (std::size_t i = 0; i < chart.categories.size(); ++i)
    out += svg::text(left + (static_cast<double>(i) + 0.5) * step, base + 18, "middle", chart.categories[i]);
  out += svg::text(left + plot_width / 2, 24, "middle", chart.title, " font-size=\"15\" font-weight=\"bold\"");
  out += svg::text(left + plot_width / 2, height - 16, "middle", chart.x_label);
  const std::string turn = fmt::format(" transform=\"rotate(-90 18 {0:.1f})\"", top + plot_height / 2);
  return out + svg::text(18, top + plot_height / 2, "middle", chart.y_label, turn.c_str());
}

std::string bars(const BarChart& chart, const Axis& axis) {
  const double step = plot_width / static_cast<double>(std::max<std::size_t>(chart.categories.size(), 1));
  const double bar = 0.8 * step / static_cast<double>(std::max<std::size_t>(chart.series.size(), 1));
  std::string out;
  for (std::size_t s = 0; s < chart.series.size(); ++s)
    for (std::size_t i = 0; i < chart.series[s].height.size(); ++i) {
      const double h = plot_height * axis.position(chart.series[s].height[i]);
      const double x = left + static_cast<double>(i) * step + 0.1 * step + static_cast<double>(s) * bar;
      if (h > 0) out += box(x, top + plot_height - h, bar, h, s);
    }
  return out;
}

std::string legend(const BarChart& chart) {
  std::string out;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const double y = top + 12 + 18 * static_cast<double>(s), x = left + plot_width - 36;
    out += svg::text(x - 8, y + 9, "end", chart.series[s].name) + box(x, y, 24, 10, s);
  }
  return out;
}

}  // namespace

std::string svg_bars(const BarChart& chart) {
  const Axis axis = value_axis(chart);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#222\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height, svg::escaped(chart.title));
  out += hatch + frame(chart, axis) + bars(chart, axis);
  out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#333\"/>\n", left, top,
                     plot_width, plot_height);
  return out + legend(chart) + "</svg>\n";
}

}  // namespace cavity
