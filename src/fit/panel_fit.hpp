// A panel as a fit of its own: a classifier that needs a few features (and the references) alone, its weights those of
// the projection, its probabilities calibrated by the folds, and its leave-one-out what the folds said of samples left
// out.
#pragma once

#include "fit/panel_price.hpp"
#include "fit/panel_reference.hpp"

namespace cavity {

struct PanelFitParts {
  const PriceTable& samples;
  const PanelTable& table;
  const PanelReference& reference;
  std::span<const std::size_t> features;  // inputs of the table
  const SoftFit& fit;
  std::size_t folds;
};

Fit describe_panel(const PanelFitParts& parts, const PanelCalibrated& calibrated);

}  // namespace cavity
