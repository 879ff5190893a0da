// A comparison as a person reads it, and as a program does.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cavity/compare.hpp"

namespace cavity {

struct Comparison {
  std::vector<CompareMethod> methods;  // each is set against the first
  std::vector<SplitResult> results;
};

/// How often each value was chosen. Baselines choose none.
enum class Chosen { density, noise };
std::map<double, std::size_t> chosen_histogram(const Comparison& comparison, const CompareMethod& method, Chosen what);

/// Mean error and deviation, wins of the first method, the tests, histograms of the chosen density and noise.
std::string compare_text(const Comparison& comparison);
nlohmann::ordered_json compare_json(const Comparison& comparison);

}  // namespace cavity
