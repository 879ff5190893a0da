// Results of the theory as JSON, CSV, tables and figures. Numbers in JSON and CSV are printed to full precision.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "cavity/theory.hpp"
#include "figure/figure.hpp"

namespace cavity {

struct SolvedPoint {
  TheoryPoint point;
  ReplicaSolution solution;
};

nlohmann::ordered_json point_json(const SolvedPoint& solved);
std::string point_text(const SolvedPoint& solved);
std::string sweep_csv(std::span<const SolvedPoint> solved);
Chart sweep_figure(std::span<const SolvedPoint> solved, SweepVariable variable, bool log_x);

nlohmann::ordered_json path_json(const TheoryPoint& point, std::span<const EvolutionStep> steps);
std::string path_csv(std::span<const EvolutionStep> steps);

struct PlanReport {
  double features = 0;
  Perceptron truth;
  std::optional<double> target_error;  // none: the question was the error at given samples
  Plan plan;
  std::vector<LearningCurvePoint> curve;
};
nlohmann::ordered_json plan_json(const PlanReport& report);
std::string plan_text(const PlanReport& report);
Chart plan_figure(const PlanReport& report);

std::string to_string(SweepVariable variable);

}  // namespace cavity
