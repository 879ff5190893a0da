// A comparison as a person reads it, and as a program does.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "cavity/compare.hpp"

namespace cavity {

struct Comparison {
  std::vector<CompareMethod> methods;  // each is set against the first
  std::vector<SplitResult> results;
};

/// What was read, and how it was asked for.
struct CompareContext {
  std::string file, command;
  std::vector<std::pair<std::string, std::size_t>> classes;  // name and samples
  std::size_t train = 0, features = 0;
  nlohmann::ordered_json settings;  // all that the numbers depend on
};

/// How often each value was chosen. Baselines choose none.
enum class Chosen { density, noise };
std::map<double, std::size_t> chosen_histogram(const Comparison& comparison, const CompareMethod& method, Chosen what);

/// Mean error and deviation, wins of the first method, the tests, histograms of the chosen density and noise.
std::string compare_text(const Comparison& comparison);
nlohmann::ordered_json compare_json(const Comparison& comparison);
/// With every split, for html_report.
nlohmann::ordered_json compare_page_data(const Comparison& comparison, const CompareContext& context);

}  // namespace cavity
