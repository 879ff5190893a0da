// Values of an enum by the names that people give them: one table serves both ways.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "cavity/errors.hpp"

namespace cavity {

template <class Value>
struct EnumName {
  Value value;
  const char* name;
};

template <class Value, std::size_t n>
std::string name_of(const EnumName<Value> (&table)[n], Value value) {
  for (const auto& row : table)
    if (row.value == value) return row.name;
  throw std::logic_error("a value without a name");
}

template <class Value, std::size_t n>
std::vector<std::string> names_in(const EnumName<Value> (&table)[n]) {
  std::vector<std::string> out;
  for (const auto& row : table) out.emplace_back(row.name);
  return out;
}

/// `what` is what the names are of, for the UsageError about an unknown one.
template <class Value, std::size_t n>
Value value_named(const EnumName<Value> (&table)[n], const std::string& name, const char* what) {
  for (const auto& row : table)
    if (name == row.name) return row.value;
  throw UsageError(fmt::format("unknown {} '{}': use one of {}", what, name, fmt::join(names_in(table), ", ")));
}

}  // namespace cavity
