#include "figure/svg_plot.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "figure/axis.hpp"
#include "figure/svg_parts.hpp"

namespace cavity {

namespace {

using svg::escaped;
using svg::line;
using svg::text;

constexpr double width = 640, height = 440;
constexpr double left = 72, right = 20, top = 40, bottom = 60;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;

struct Look {
  const char* colour;
  const char* dash;
};
// Colours of falling luminance contrast that colour-blind readers tell apart; the dash says the same without colour.
constexpr std::array<Look, 6> looks{{{"#1b1b1b", ""},
                                     {"#0072b2", "7 4"},
                                     {"#d55e00", "2 3"},
                                     {"#009e73", "9 3 2 3"},
                                     {"#7a4988", "12 4"},
                                     {"#8a6d00", "4 2 1 2"}}};

struct Frame {
  Axis x, y;
  double px(double value) const { return left + plot_width * x.position(value); }
  double py(double value) const { return top + plot_height * (1 - y.position(value)); }
  bool holds(double a, double b) const { return x.holds(a) && y.holds(b); }
};

std::string axes(const Frame& frame, const Chart& figure) {
  const double base = top + plot_height;
  std::string out;
  for (const Tick& tick : frame.x.ticks) {
    const double x = frame.px(tick.value);
    if (!tick.label.empty()) out += line(x, top, x, base, "#e4e4e4") + text(x, base + 18, "middle", tick.label);
    out += line(x, base, x, base + (tick.label.empty() ? 3 : 5), "#333");
  }
  for (const Tick& tick : frame.y.ticks) {
    const double y = frame.py(tick.value);
    if (!tick.label.empty())
      out += line(left, y, left + plot_width, y, "#e4e4e4") + text(left - 8, y + 4, "end", tick.label);
    out += line(left - (tick.label.empty() ? 3 : 5), y, left, y, "#333");
  }
  out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#333\"/>\n", left, top,
                     plot_width, plot_height);
  out += text(left + plot_width / 2, 24, "middle", figure.title, " font-size=\"15\" font-weight=\"bold\"");
  out += text(left + plot_width / 2, height - 16, "middle", figure.x_label);
  const std::string turn = fmt::format(" transform=\"rotate(-90 18 {0:.1f})\"", top + plot_height / 2);
  return out + text(18, top + plot_height / 2, "middle", figure.y_label, turn.c_str());
}

std::string marker(double x, double y, std::size_t index) {
  const char* colour = looks[index % looks.size()].colour;
  switch (index % 4) {
    case 0:
      return fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.2\" fill=\"{}\"/>\n", x, y, colour);
    case 1:
      return fmt::format(
          "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"6\" height=\"6\" fill=\"white\" stroke=\"{}\" "
          "stroke-width=\"1.4\"/>\n",
          x - 3, y - 3, colour);
    case 2:
      return fmt::format("<path d=\"M{:.2f} {:.2f}l4 7h-8z\" fill=\"{}\"/>\n", x, y - 4, colour);
    default:
      return fmt::format(
          "<path d=\"M{:.2f} {:.2f}l4 4l-4 4l-4 -4z\" fill=\"white\" stroke=\"{}\" stroke-width=\"1.4\"/>\n", x, y - 4,
          colour);
  }
}

std::string polyline(const std::string& points, std::size_t index) {
  const Look& look = looks[index % looks.size()];
  const std::string dash = *look.dash ? fmt::format(" stroke-dasharray=\"{}\"", look.dash) : "";
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n", points,
                     look.colour, dash);
}

// A point outside the axes, or not a number, breaks the line.
std::string lines(const Frame& frame, const Series& series, std::size_t index) {
  std::string out, points;
  const auto flush = [&] {
    if (!points.empty()) out += polyline(points, index);
    points.clear();
  };
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (frame.holds(series.x[i], series.y[i]))
      points += fmt::format("{:.2f},{:.2f} ", frame.px(series.x[i]), frame.py(series.y[i]));
    else
      flush();
  }
  flush();
  return out;
}

std::string error_bars(const Frame& frame, const Series& series, std::size_t index) {
  std::string out;
  const char* colour = looks[index % looks.size()].colour;
  const auto clamped = [&](double y) { return frame.y.holds(y) ? y : (y > frame.y.low ? frame.y.high : frame.y.low); };
  for (std::size_t i = 0; i < std::min(series.y_low.size(), series.y_high.size()); ++i) {
    if (!frame.x.holds(series.x[i]) || !std::isfinite(series.y_low[i]) || !std::isfinite(series.y_high[i])) continue;
    const double x = frame.px(series.x[i]);
    const double low = frame.py(clamped(series.y_low[i])), high = frame.py(clamped(series.y_high[i]));
    out +=
        line(x, low, x, high, colour) + line(x - 3, low, x + 3, low, colour) + line(x - 3, high, x + 3, high, colour);
  }
  return out;
}

std::string draw(const Frame& frame, const Series& series, std::size_t index) {
  std::string out = error_bars(frame, series, index);
  if (series.style != SeriesStyle::markers) out += lines(frame, series, index);
  if (series.style != SeriesStyle::line)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (frame.holds(series.x[i], series.y[i])) out += marker(frame.px(series.x[i]), frame.py(series.y[i]), index);
  return out;
}

struct Corner {
  bool at_left, at_bottom;
};

// The corner whose box hides the fewest points; the upper right one where they are all the same.
Corner emptiest_corner(const Frame& frame, const Chart& figure, double box_width, double box_height) {
  Corner best{};
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const Corner corner : {Corner{false, false}, Corner{true, false}, Corner{false, true}, Corner{true, true}}) {
    const double x0 = corner.at_left ? left : left + plot_width - box_width;
    const double y0 = corner.at_bottom ? top + plot_height - box_height : top;
    std::size_t hidden = 0;
    for (const Series& series : figure.series)
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!frame.holds(series.x[i], series.y[i])) continue;
        const double x = frame.px(series.x[i]), y = frame.py(series.y[i]);
        hidden += x >= x0 && x <= x0 + box_width && y >= y0 && y <= y0 + box_height;
      }
    if (hidden < fewest) {
      fewest = hidden;
      best = corner;
    }
  }
  return best;
}

std::string legend(const Frame& frame, const Chart& figure) {
  std::size_t longest = 0, entries = 0;
  for (const Series& series : figure.series) {
    longest = std::max(longest, series.name.size());
    entries += series.name.empty() ? 0 : 1;
  }
  constexpr double spacing = 18, symbol = 34, character = 6.5;
  const double box_height = spacing * static_cast<double>(entries) + 14;
  const Corner corner =
      emptiest_corner(frame, figure, symbol + 30 + character * static_cast<double>(longest), box_height);
  const double x = corner.at_left ? left + 12 : left + plot_width - 12 - symbol;  // where the symbols begin
  double y = spacing + (corner.at_bottom ? top + plot_height - box_height : top);
  std::string out;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    if (series.name.empty()) continue;
    const std::size_t look = series.look.value_or(i);
    out += corner.at_left ? text(x + symbol + 6, y + 4, "start", series.name) : text(x - 6, y + 4, "end", series.name);
    if (series.style != SeriesStyle::markers)
      out += polyline(fmt::format("{:.2f},{:.2f} {:.2f},{:.2f}", x, y, x + symbol, y), look);
    if (series.style != SeriesStyle::line) out += marker(x + symbol / 2, y, look);
    y += spacing;
  }
  return out;
}

}  // namespace

std::string svg_plot(const Chart& figure) {
  const Frame frame{x_axis(figure), y_axis(figure)};
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#222\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height, escaped(figure.title));
  out += axes(frame, figure);
  for (std::size_t i = 0; i < figure.series.size(); ++i)
    out += draw(frame, figure.series[i], figure.series[i].look.value_or(i));
  return out + legend(frame, figure) + "</svg>\n";
}

}  // namespace cavity
