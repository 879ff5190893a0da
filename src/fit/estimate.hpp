// From the probabilities of left-out samples to the error that is reported.
#pragma once

#include "base/matrix.hpp"
#include "cavity/fit.hpp"
#include "fit/labelled.hpp"

namespace cavity {

/// Of the likeliest class, of equal ones the last.
std::uint32_t called_class(const Matrix& probability, std::size_t sample);

struct Losses {
  std::vector<double> wrong, log;  // a sample; wrong: a half where the own class ties with another
};
Losses losses_of(const Matrix& probability, const std::vector<std::uint32_t>& classes);

/// Classes count as their shares say, where there are some. Groups of samples were left out as a whole, where there are
/// any: then the standard error and the interval are between groups. All samples count as reliable.
LooEstimate estimate(const Matrix& probability, const Labelled& samples, const std::vector<double>& shares = {},
                     const SampleGroups* groups = nullptr);

}  // namespace cavity
