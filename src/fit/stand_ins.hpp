// Who else could sit in a member's place: with the others kept, the features of the largest gain there are refitted,
// and those stay that lose little of what the panel says of the fit.
#pragma once

#include "fit/panel_search.hpp"

namespace cavity {

struct Swap {
  std::size_t feature;
  double loss;  // nats a sample beside the panel as it is
};

struct Seats {
  std::span<const std::size_t> features;  // a panel
  double divergence;                      // of its regression
  double margin;                          // that a swap may lose, nats a sample
};

/// For the member at `place`: at most five of the open features, the best first.
std::vector<Swap> stand_ins(const PanelProblem& problem, const PanelRules& rules, const Seats& seats, std::size_t place,
                            ThreadPool& pool);

}  // namespace cavity
