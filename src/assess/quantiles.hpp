// Of the standard normal distribution: an interval of 80, 95 or 99 % reaches so many standard errors to each side.
#pragma once

namespace cavity {

inline constexpr double z80 = 1.2815515655446004, z95 = 1.959963984540054, z99 = 2.5758293035489004;

}  // namespace cavity
