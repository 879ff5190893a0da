#include "figure/text_plot.hpp"

#include <fmt/format.h>

#include <cmath>

#include "figure/axis.hpp"

namespace cavity {

namespace {

constexpr const char* symbols = "*o+x#@";
constexpr std::size_t label_width = 9;

struct Canvas {
  int columns, rows;
  std::vector<std::string> cells;
  Canvas(int c, int r) : columns(c), rows(r), cells(r, std::string(c, ' ')) {}
  int column(const Axis& axis, double x) const {
    return static_cast<int>(std::lround(axis.position(x) * (columns - 1)));
  }
  int row(const Axis& axis, double y) const {
    return static_cast<int>(std::lround((1 - axis.position(y)) * (rows - 1)));
  }
};

// Values between two points are filled in a column at a time, so that a curve is a curve.
void draw_segment(Canvas& canvas, const Axis& x, const Axis& y, const Series& s, std::size_t i, char symbol) {
  const double c0 = x.position(s.x[i]), c1 = x.position(s.x[i + 1]);
  const double r0 = y.position(s.y[i]), r1 = y.position(s.y[i + 1]);
  const int from = canvas.column(x, s.x[i]), to = canvas.column(x, s.x[i + 1]);
  for (int c = std::min(from, to) + 1; c < std::max(from, to); ++c) {
    const double t = (static_cast<double>(c) / (canvas.columns - 1) - c0) / (c1 - c0);
    const int row = static_cast<int>(std::lround((1 - (r0 + t * (r1 - r0))) * (canvas.rows - 1)));
    canvas.cells[row][c] = symbol;
  }
}

void draw(Canvas& canvas, const Axis& x, const Axis& y, const Series& s, char symbol) {
  const auto inside = [&](std::size_t i) { return x.holds(s.x[i]) && y.holds(s.y[i]); };
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    if (!inside(i)) continue;
    canvas.cells[canvas.row(y, s.y[i])][canvas.column(x, s.x[i])] = symbol;
    if (s.style != SeriesStyle::markers && i + 1 < s.x.size() && inside(i + 1))
      draw_segment(canvas, x, y, s, i, symbol);
  }
}

std::string x_ticks(const Canvas& canvas, const Axis& x) {
  std::string rule(canvas.columns, '-'), labels;
  for (const Tick& tick : x.ticks) {
    if (tick.label.empty()) continue;
    const int c = canvas.column(x, tick.value);
    rule[c] = '+';
    const std::size_t at = static_cast<std::size_t>(std::max(0, c - static_cast<int>(tick.label.size()) / 2));
    if (at < labels.size() + (labels.empty() ? 0 : 1)) continue;  // no room beside the last one
    labels += std::string(at - labels.size(), ' ') + tick.label;
  }
  const std::string margin(label_width, ' ');
  return margin + "+" + rule + "\n" + margin + " " + labels + "\n";
}

}  // namespace

std::string text_plot(const Chart& figure, int columns, int rows) {
  const Axis x = x_axis(figure), y = y_axis(figure);
  Canvas canvas(columns, rows);
  for (std::size_t i = figure.series.size(); i-- > 0;) draw(canvas, x, y, figure.series[i], symbols[i % 6]);
  std::vector<std::string> labels(rows);
  for (const Tick& tick : y.ticks)
    if (y.holds(tick.value)) labels[canvas.row(y, tick.value)] = tick.label;

  std::string out = figure.title.empty() ? "" : figure.title + "\n";
  out += fmt::format("{}\n", figure.y_label);
  for (int r = 0; r < rows; ++r) {
    const std::string& cells = canvas.cells[r];
    const std::string drawn = cells.substr(0, cells.find_last_not_of(' ') + 1);
    out += fmt::format("{:>{}}{}{}\n", labels[r], label_width, labels[r].empty() ? '|' : '+', drawn);
  }
  out += x_ticks(canvas, x) + fmt::format("{:>{}}\n", figure.x_label, label_width + columns + 1);
  for (std::size_t i = 0; i < figure.series.size(); ++i)
    if (!figure.series[i].name.empty()) out += fmt::format("  {} {}\n", symbols[i % 6], figure.series[i].name);
  return out;
}

}  // namespace cavity
