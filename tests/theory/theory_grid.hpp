// The settings that the theory is checked on.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cavity/theory.hpp"

namespace cavity {

inline std::vector<TheoryPoint> matched_grid() {
  std::vector<TheoryPoint> points;
  const auto add = [&](double ratio, const Perceptron& truth) { points.push_back({ratio, truth, truth}); };
  for (const double ratio : {0.05, 0.3, 1.0, 3.0, 10.0})
    for (const double noise : {0.0, 0.05, 0.2})
      for (const double density : {0.005, 0.1, 0.6}) add(ratio, {density, ActivationKind::step, noise});
  for (const auto activation : {ActivationKind::probit, ActivationKind::logistic})
    for (const double ratio : {0.3, 5.0})
      for (const double density : {0.02, 0.4}) add(ratio, {density, activation, 0.3});
  add(1, {1, ActivationKind::step, 0.05});
  add(1, {1, ActivationKind::probit, 0.5});
  add(100, {0.1, ActivationKind::step, 0.1});
  add(0.01, {0.001, ActivationKind::step, 0.05});
  return points;
}

inline std::vector<TheoryPoint> mismatched_grid() {
  using enum ActivationKind;
  return {{1, {0.1, step, 0.05}, {0.2, step, 0.05}},     {1, {0.1, step, 0.05}, {0.06, step, 0.05}},
          {2, {0.2, step, 0.05}, {0.3, step, 0.1}},      {0.5, {0.05, step, 0.1}, {0.1, step, 0.02}},
          {1, {0.1, probit, 0.2}, {0.1, step, 0.05}},    {3, {0.1, step, 0.1}, {0.05, probit, 0.2}},
          {1, {0.3, logistic, 0.1}, {0.2, probit, 0.2}}, {1, {0.1, step, 0.05}, {1, step, 0.05}},
          {1, {1, step, 0.05}, {0.5, step, 0.05}},       {2, {0.1, step, 0.05}, {0.1, logistic, 0.1}}};
}

inline std::vector<TheoryPoint> whole_grid() {
  std::vector<TheoryPoint> points = matched_grid();
  for (const TheoryPoint& point : mismatched_grid()) points.push_back(point);
  return points;
}

inline std::string describe(const TheoryPoint& p) {
  return fmt::format("ratio {}, teacher {} {} {}, student {} {} {}", p.ratio, to_string(p.teacher.activation),
                     p.teacher.density, p.teacher.noise, to_string(p.student.activation), p.student.density,
                     p.student.noise);
}

}  // namespace cavity
