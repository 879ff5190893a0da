// JSON from a file is read no deeper than anything that cavity writes: what walks a value does so by recursion.
#pragma once

#include <cstddef>
#include <string_view>

namespace cavity {

inline constexpr std::size_t most_json_depth = 64;

/// Whether lists and objects of the text lie within each other deeper than that. Any text has an answer.
bool json_too_deep(std::string_view text);

}  // namespace cavity
