// Why the algorithm is damped on real data: how many cells of the paper's grid settle without and with damping.
#pragma once

#include "cavity/dataset.hpp"

namespace cavity {

struct SettledCells {
  std::size_t cells = 0, undamped = 0, damped = 0;
};

/// `table` as inference sees it (centred, rows scaled); 500 updates a cell.
SettledCells settled_cells(const Dataset& table, unsigned threads);

}  // namespace cavity
