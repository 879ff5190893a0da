// One axis of a plot: its range, its ticks and the position of a value along it, linear or logarithmic.
#pragma once

#include <string>
#include <vector>

#include "figure/figure.hpp"

namespace cavity {

struct Tick {
  double value;
  std::string label;  // empty: a minor tick
};

struct Axis {
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<Tick> ticks;

  /// 0 at `low`, 1 at `high`.
  double position(double value) const;
  bool holds(double value) const;
};

Axis x_axis(const Chart& figure);
Axis y_axis(const Chart& figure);

}  // namespace cavity
