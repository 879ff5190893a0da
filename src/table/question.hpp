// A question is one side against the other. Two classes ask one, whose side is the second class; more ask one each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cavity {

inline std::size_t question_count(std::size_t classes) { return classes == 2 ? 1 : classes; }
inline std::uint32_t class_of_question(std::size_t question, std::size_t classes) {
  return classes == 2 ? 1 : static_cast<std::uint32_t>(question);
}

/// +1 a sample of the class, -1 of any other.
inline std::vector<std::int8_t> against_rest(std::span<const std::uint32_t> classes, std::uint32_t of_class) {
  std::vector<std::int8_t> out;
  out.reserve(classes.size());
  for (const std::uint32_t k : classes) out.push_back(k == of_class ? 1 : -1);
  return out;
}

}  // namespace cavity
