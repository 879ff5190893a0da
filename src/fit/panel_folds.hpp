// The whole of it without a fold: fit, search and the weights of every size see only the other samples.
#pragma once

#include <functional>
#include <optional>

#include "assess/sample_groups.hpp"
#include "fit/labelled.hpp"
#include "fit/panel_choice.hpp"
#include "fit/panel_table.hpp"

namespace cavity {

/// Of the samples that were left out together.
struct FoldPanels {
  std::vector<std::size_t> samples;
  Matrix whole;                     // samples x classes: what the fit of the others says, as common as in training
  std::vector<std::uint32_t> path;  // features of the file
  std::vector<Matrix> field;        // 0, 1, ... features: samples x columns of the target
};

struct FoldsAsked {
  const Dataset& data;
  const FitOptions fit;                       // of a fold
  const PreprocessingOptions& preprocessing;  // of the panels
  const PanelChoice& choice;
};

/// A fit for the folds: as the whole one, but to 1e-3, which moves a probability by less than what a fold is known to.
/// Sampled cells of few features are there where the whole fit's have a share: elsewhere they would say nothing.
FitOptions options_of_a_fold(FitOptions options, const Model& whole);

/// One fold left out. InputError, which names the fold, where the others cannot be fitted.
FoldPanels leave_out_fold(const FoldsAsked& asked, const std::vector<std::size_t>& fold);

/// Every sample in one fold of each deal: classes spread evenly, samples of a group together.
std::vector<std::vector<std::size_t>> deal_panel_folds(const Labelled& samples, const SampleGroups* groups,
                                                       std::size_t folds, std::size_t deal, std::uint64_t seed);

}  // namespace cavity
