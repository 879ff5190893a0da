// What goes through the interface: vectors, matrices by columns, texts, lists by name, fits.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "interface.h"

struct Fitted;

struct cavity_object {
  std::shared_ptr<const Fitted> fitted;
};

/// Elements of a vector: its own, or those of R, which outlive the job.
template <class T>
struct Elements {
  std::vector<T> own{};
  std::span<const T> borrowed{};

  std::span<const T> all() const { return own.empty() ? borrowed : std::span<const T>(own); }
};

struct Flags : Elements<int> {};
using Texts = std::vector<std::optional<std::string>>;

struct cavity_value {
  using Items = std::vector<std::pair<std::string, std::unique_ptr<cavity_value>>>;
  std::variant<std::monostate, Elements<double>, Elements<int>, Flags, Texts, Elements<unsigned char>, Items,
               std::shared_ptr<const Fitted>>
      held{};  // in the order of cavity_kind
  std::size_t rows = 0;

  /// Empty where the list has no such item.
  const cavity_value* find(const std::string& name) const;
  /// std::logic_error where there is none, or none of that kind: R's side always says it.
  const cavity_value& at(const std::string& name) const;
  std::span<const double> numbers() const;
  std::span<const int> integers() const;
  double number() const;
  bool flag() const;
  std::string text() const;
  std::vector<std::string> texts() const;  // missing ones are empty
  const std::shared_ptr<const Fitted>& fitted() const;
  const Items& items() const { return std::get<Items>(held); }

  cavity_value& add(const std::string& name);
  void put(const std::string& name, std::vector<double> values, std::size_t rows_of_it = 0);
  /// A matrix, from its rows one after the other.
  template <class T>
  void put_rows(const std::string& name, const std::vector<T>& rows_of_it, std::size_t columns) {
    const std::size_t count = rows_of_it.size() / columns;
    std::vector<double> by_columns(rows_of_it.size());
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        by_columns[j * count + i] = static_cast<double>(rows_of_it[i * columns + j]);
    put(name, std::move(by_columns), count);
  }
  void put(const std::string& name, double value) { put(name, std::vector{value}); }
  void put(const std::string& name, std::vector<int> values);
  void put_flag(const std::string& name, bool value);
  void put(const std::string& name, const std::vector<std::string>& values);
  void put(const std::string& name, const std::string& value) { put(name, std::vector{value}); }
  void put(const std::string& name, std::shared_ptr<const Fitted> fitted);
};
