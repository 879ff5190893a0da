// What always guessing the commoner class would give: what a classifier has to beat.
#pragma once

#include <algorithm>

#include "cavity/fit.hpp"

namespace cavity {

struct Guess {
  bool positive;
  double error;
};

inline Guess best_guess(const DataSummary& data) {
  const auto positive = static_cast<double>(data.class_counts[1]), samples = static_cast<double>(data.samples);
  const double share = data.population ? (*data.population)[1] : positive / samples;
  return {share >= 0.5,
          data.population ? std::min(share, 1 - share) : std::min(positive, samples - positive) / samples};
}

}  // namespace cavity
