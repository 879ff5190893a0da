#include "theory/ensemble.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cavity/errors.hpp"
#include "model/activation_kind.hpp"

namespace cavity::theory {

namespace {

void check_density(const char* whose, double density) {
  if (!(density > 0 && density <= 1))
    throw UsageError(
        fmt::format("{} density {} is outside (0, 1]: it is the fraction of features in use", whose, density));
}

}  // namespace

Ensemble make_ensemble(const TheoryPoint& point) {
  if (!(point.ratio > 0 && std::isfinite(point.ratio)))
    throw UsageError(fmt::format("ratio {} is not positive: it is the number of samples a feature", point.ratio));
  check_density("teacher", point.teacher.density);
  check_density("student", point.student.density);
  return {point.ratio, point.teacher.density, point.student.density,
          make_activation(point.teacher.activation, point.teacher.noise),
          make_activation(point.student.activation, point.student.noise)};
}

double Overlaps::alignment() const { return power > 0 ? overlap / std::sqrt(power) : 0; }

}  // namespace cavity::theory
