#include "figure/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cavity {

namespace {

constexpr int wanted_ticks = 6;

// 1, 2 or 5 times a power of ten, such that about wanted_ticks fit.
double tick_step(double span) {
  const double raw = span / wanted_ticks, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (raw <= digit * power) return digit * power;
  return 10 * power;
}

std::string tick_label(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  if (std::abs(value) >= 1e6 || step < 1e-5) return fmt::format("{:.4g}", value);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

void add_linear_ticks(Axis& axis) {
  const double step = tick_step(axis.high - axis.low), slack = 1e-9 * step;
  const double first = std::ceil((axis.low - slack) / step) * step;
  const int count = static_cast<int>(std::floor((axis.high + slack - first) / step)) + 1;
  for (int i = 0; i < count; ++i) axis.ticks.push_back({first + i * step, tick_label(first + i * step, step)});
}

std::string power_label(double value) {
  return value >= 1e-4 && value < 1e6 ? fmt::format("{:g}", value) : fmt::format("{:.0e}", value);
}

// Decades; where there are few of them, the digits between are labelled as well.
void add_log_ticks(Axis& axis) {
  const double decades = std::log10(axis.high / axis.low);
  const int first = static_cast<int>(std::floor(std::log10(axis.low)));
  const int last = static_cast<int>(std::ceil(std::log10(axis.high)));
  for (int power = first; power <= last; ++power)
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10, power);
      if (!axis.holds(value)) continue;
      const bool labelled = digit == 1 || (decades < 3 && (digit == 2 || digit == 5)) || decades < 0.8;
      axis.ticks.push_back({value, labelled ? power_label(value) : ""});
    }
}

struct Extent {
  double low = INFINITY, high = -INFINITY;
  bool logarithmic = false;
  void include(double value) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Axis make_axis(Extent extent, const std::optional<std::pair<double, double>>& range, double margin) {
  if (range) std::tie(extent.low, extent.high) = *range;
  if (!(extent.low <= extent.high)) extent.low = extent.logarithmic ? 0.1 : 0, extent.high = 1;
  if (extent.low == extent.high) {
    const double half = extent.low == 0 ? 0.5 : 0.5 * std::abs(extent.low);
    extent.low -= half;
    extent.high += half;
  }
  Axis axis{extent.low, extent.high, extent.logarithmic, {}};
  if (!range && !axis.logarithmic) {
    const double pad = margin * (axis.high - axis.low);
    if (axis.low != 0) axis.low = axis.low > 0 && axis.low < pad ? 0 : axis.low - pad;
    axis.high += pad;
  }
  if (axis.logarithmic)
    add_log_ticks(axis);
  else
    add_linear_ticks(axis);
  return axis;
}

}  // namespace

double Axis::position(double value) const {
  if (logarithmic) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

bool Axis::holds(double value) const {
  if (!std::isfinite(value) || (logarithmic && value <= 0)) return false;
  const double p = position(value);
  return p >= -1e-9 && p <= 1 + 1e-9;
}

Axis x_axis(const Chart& figure) {
  Extent extent{.logarithmic = figure.log_x};
  for (const Series& series : figure.series)
    for (const double x : series.x) extent.include(x);
  return make_axis(extent, figure.x_range, 0);
}

Axis y_axis(const Chart& figure) {
  Extent extent{.logarithmic = figure.log_y};
  for (const Series& series : figure.series)
    for (const auto* values : {&series.y, &series.y_low, &series.y_high})
      for (const double y : *values) extent.include(y);
  return make_axis(extent, figure.y_range, 0.05);
}

}  // namespace cavity
