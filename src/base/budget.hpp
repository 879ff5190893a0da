// What a step beside the fit itself may cost, however small the table.
#pragma once

namespace cavity {

/// Multiply-adds of a core.
inline constexpr double a_few_seconds = 6e9;

}  // namespace cavity
