// What panels cost, from folds: each size's fields on samples left out are calibrated as the fit's answers are, by a
// calibration that has not seen the sample, and judged beside what the whole fits of the same folds say.
#pragma once

#include "cavity/panel.hpp"
#include "fit/panel_folds.hpp"

namespace cavity {

struct PriceTable {
  const Labelled& samples;
  const SampleGroups* groups;
  const std::vector<double>& shares;  // of the classes where the panel will be used
};

/// Of a deal of the folds, one size.
struct PanelCalibrated {
  Calibration model;  // of a panel of this size
  Matrix left_out;    // samples x classes
};
PanelCalibrated calibrate_panel(const PriceTable& table, const Matrix& field, ThreadPool& pool);

/// What the whole fits say of samples left out, as common as the shares say.
Matrix shifted(const PriceTable& table, Matrix probability);

/// Samples x columns, of a deal: the fields of panels of so many features.
Matrix fields_of_size(const std::vector<FoldPanels>& folds, std::size_t size, std::size_t samples);
Matrix whole_of(const std::vector<FoldPanels>& folds, std::size_t samples);

/// Means over the deals, one matrix of probabilities each; `whole` the same of the whole fits.
PanelPrice price_panel(const PriceTable& table, const std::vector<Matrix>& probability,
                       const std::vector<Matrix>& whole);

/// The first whose log loss is within one standard error of the whole's; 0: none.
std::size_t suggest_size(const std::vector<PanelSize>& sizes);

}  // namespace cavity
