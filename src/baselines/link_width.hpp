// From scores to probabilities: P(+) = Phi(score/width).
#pragma once

#include <cstdint>
#include <span>

namespace cavity {

/// The width of largest likelihood for scores of samples that were left out. Labels count as (n + 1)/(n + 2) rather
/// than 1 (Platt 2000), so that perfect separation still gives a finite slope.
double fit_link_width(std::span<const double> scores, std::span<const std::int8_t> labels);

}  // namespace cavity
