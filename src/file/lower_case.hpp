// ASCII letters in lower case, whatever the locale; other bytes stay.
#pragma once

#include <string>
#include <string_view>

namespace cavity {

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace cavity
