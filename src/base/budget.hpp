// What a step beside the fit itself may cost, however small the table.
#pragma once

#include <cstddef>

namespace cavity {

/// Multiply-adds of a core.
inline constexpr double a_few_seconds = 6e9;
/// The same of what decides whether there is an answer of a kind at all.
inline constexpr double a_minute = 1e12;
/// Bytes: of a second form of a table, beside it or in the model.
inline constexpr std::size_t much_memory = std::size_t{512} << 20;

}  // namespace cavity
