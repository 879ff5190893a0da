// The options of `cavity theory`, and their translation into what the library asks for.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cavity/theory.hpp"
#include "report/theory_report.hpp"

namespace cavity {

/// A setting of teacher and student. What is left out follows: density the teacher's, the teacher's activation and
/// noise the student's.
struct PointOptions {
  std::optional<double> ratio, noise, teacher, density, teacher_noise;
  std::string activation = "step", teacher_activation;

  void add_to(CLI::App& command);
  TheoryPoint point() const;
  std::vector<TheoryPoint> points(SweepVariable variable, const std::vector<double>& values) const;
};

struct SweepOptions {
  std::string vary;
  std::vector<double> values;
  std::optional<double> from, to;
  std::optional<int> count;
  bool logarithmic = false;

  void add_to(CLI::App& command);
  SweepVariable variable() const;
  std::vector<double> all_values() const;
};

struct PlanOptions {
  double features = 0, density = 0, noise = 0;
  std::string activation = "step";
  std::optional<double> target_error, samples;

  void add_to(CLI::App& command);
  PlanReport report() const;
};

extern const char* const plan_assumptions;

/// IoError when the file cannot be written.
void write_text(const std::string& path, const std::string& text);

}  // namespace cavity
