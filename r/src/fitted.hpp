// A fit as R keeps it: the model and, unless it comes from a file, what the report page needs.
#pragma once

#include <optional>

#include "cavity/fit.hpp"

struct Fitted {
  cavity::Fit fit;  // of one from a file the model alone
  std::optional<cavity::FitOptions> options;

  const cavity::Model& model() const { return fit.model; }
};
