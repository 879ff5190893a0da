// From the messages' distribution over halves to what halves would show: mean and spread of each inclusion, and in
// which share of the halves it is beyond what a half selects.
#pragma once

#include <optional>
#include <vector>

#include "fit/half_average.hpp"

namespace cavity {

struct SelectionRule {
  double selected = 10;          // features a half, on average
  std::optional<double> rate{};  // instead: the expected false fraction of its list
};

struct SelectionShares {
  std::vector<double> mean, sd, share;  // a feature
};

/// Of a mixture of cells, whose messages move together from half to half. Many features make what a half selects a
/// threshold on the inclusion that is the same in all of them.
SelectionShares selection_shares(const std::vector<HalfAverage>& cells, const std::vector<double>& weight,
                                 const SelectionRule& rule);

}  // namespace cavity
