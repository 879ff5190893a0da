// What a design offers beside its products where `times` rounds the weights to a common unit: processes that hold parts
// of one matrix must round alike, by the largest of their spans.
#pragma once

#include <span>

#include "base/threads.hpp"

namespace cavity {

class RoundingDesign {
 public:
  virtual ~RoundingDesign() = default;

  /// The span of values that sets how finely `times` rounds; infinity where a weight is not finite.
  virtual double weight_span(std::span<const double> v, ThreadPool& pool) const = 0;

  /// `times` in full precision, rounded as finely as a span of at least one's own asks for.
  virtual void times_within(double span, std::span<const double> v, std::span<double> out, ThreadPool& pool) const = 0;
};

}  // namespace cavity
