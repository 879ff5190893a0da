#include <gtest/gtest.h>

#include <cmath>

#include "figure/axis.hpp"
#include "figure/svg_plot.hpp"
#include "figure/text_plot.hpp"

namespace cavity {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

Chart example() {
  return {.title = "a < b & c",
          .x_label = "samples",
          .y_label = "error",
          .series = {{.name = "theory", .x = {1, 10, 100}, .y = {0.5, 0.3, 0.1}},
                     {.name = "simulation",
                      .x = {1, 10, 100},
                      .y = {0.49, NAN, 0.11},
                      .y_low = {0.48, NAN, 0.1},
                      .y_high = {0.5, NAN, 0.12},
                      .style = SeriesStyle::markers}},
          .log_x = true};
}

TEST(Plot, AxesPlaceTheirTicks) {
  const Axis x = x_axis(example());
  EXPECT_DOUBLE_EQ(x.position(10), 0.5);
  std::string labels;
  for (const Tick& tick : x.ticks) labels += tick.label.empty() ? "" : tick.label + " ";
  EXPECT_EQ(labels, "1 2 5 10 20 50 100 ");
  Chart figure = example();
  figure.y_range = {{0, 0.5}};
  labels.clear();
  for (const Tick& tick : y_axis(figure).ticks) labels += tick.label + " ";
  EXPECT_EQ(labels, "0 0.1 0.2 0.3 0.4 0.5 ");
}

TEST(Plot, SvgDrawsLinesMarkersBarsAndLegend) {
  const std::string svg = svg_plot(example());
  EXPECT_EQ(count(svg, "<polyline"), 2u);    // one curve, one in the legend
  EXPECT_EQ(count(svg, "width=\"6\""), 3u);  // two points that are numbers, one in the legend
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_NE(svg.find(">simulation<"), std::string::npos);
}

TEST(Plot, EmptyAndConstantFiguresAreDrawnToo) {
  for (const bool log : {false, true}) {
    EXPECT_EQ(count(svg_plot({.title = "", .x_label = "", .y_label = "", .series = {}, .log_x = log}), "nan"), 0u);
    const Chart flat{
        .title = "", .x_label = "", .y_label = "", .series = {{.name = "", .x = {1}, .y = {2}}}, .log_y = log};
    EXPECT_EQ(count(svg_plot(flat), "nan") + count(text_plot(flat), "nan"), 0u);
  }
}

TEST(Plot, TextKeepsToItsWidth) {
  const std::string text = text_plot(example(), 40, 10);
  EXPECT_NE(text.find("* theory"), std::string::npos);
  std::size_t start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
    EXPECT_LE(end - start, 52u);
}

}  // namespace
}  // namespace cavity
