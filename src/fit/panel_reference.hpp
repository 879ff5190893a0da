// Ratios: the mean of reference features (housekeeping genes) is taken off the values of every sample before all else,
// off their logarithms where a panel would take logarithms. A panel of such differences is a weighted sum of its own
// features and the references, r the mean of H of them:
//   sum_j w_j (v_j - r) = sum_j w_j v_j - sum_h (sum_j w_j/H) v_h,
// so that its model needs no step of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "base/threads.hpp"
#include "cavity/panel.hpp"

namespace cavity {

struct PanelReference {
  std::vector<std::uint32_t> features{};  // of the file; empty: values are taken as they are
  Transform transform = Transform::none;  // of the values before: none or log1p
  std::vector<double> mean{};             // of every feature, after that
};

/// Takes the references' mean off, in place; missing values take their feature's mean first. The fit and the panels are
/// to see what is left as it is: `options` say so afterwards, and that no reference is in a panel. Nothing happens
/// where no reference is asked for. InputError for names that are not there or are never known.
PanelReference take_reference(Dataset& data, PanelOptions& options, ThreadPool& pool);

}  // namespace cavity
