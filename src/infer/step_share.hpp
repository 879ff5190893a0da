// How much of a proposed step an iteration takes: one rule for EP over features and over a kernel.
#pragma once

namespace cavity {

/// Of a step, where it left the region of definition or made things worse, and of the share of what follows. 0.4: as
/// many updates of EP; 0.2: as many; 0.8: one cell of leukemia ends restricted, too near to the edge.
inline constexpr double retreat = 0.5;
/// Of the share, after an update that lowers the residual. Without: a tenth more updates.
inline constexpr double growth = 1.1;

}  // namespace cavity
