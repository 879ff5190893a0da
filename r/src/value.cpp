#include "value.hpp"

#include <stdexcept>

namespace {

template <class T>
const T& held_as(const cavity_value& value) {
  if (const T* held = std::get_if<T>(&value.held)) return *held;
  throw std::logic_error("an argument of another kind was expected");
}

}  // namespace

const cavity_value* cavity_value::find(const std::string& name) const {
  for (const auto& [its_name, value] : held_as<Items>(*this))
    if (its_name == name) return value.get();
  return nullptr;
}

const cavity_value& cavity_value::at(const std::string& name) const {
  if (const cavity_value* found = find(name)) return *found;
  throw std::logic_error("the argument '" + name + "' is missing");
}

std::span<const double> cavity_value::numbers() const { return held_as<Elements<double>>(*this).all(); }
std::span<const int> cavity_value::integers() const { return held_as<Elements<int>>(*this).all(); }

double cavity_value::number() const {
  const auto all = numbers();
  if (all.size() != 1) throw std::logic_error("one number was expected");
  return all[0];
}

bool cavity_value::flag() const {
  const auto all = held_as<Flags>(*this).all();
  if (all.size() != 1) throw std::logic_error("one flag was expected");
  return all[0] != 0;
}

std::string cavity_value::text() const {
  const auto all = texts();
  if (all.size() != 1) throw std::logic_error("one text was expected");
  return all[0];
}

std::vector<std::string> cavity_value::texts() const {
  std::vector<std::string> out;
  for (const auto& text : held_as<Texts>(*this)) out.push_back(text.value_or(""));
  return out;
}

const std::shared_ptr<const Fitted>& cavity_value::fitted() const {
  return held_as<std::shared_ptr<const Fitted>>(*this);
}

cavity_value& cavity_value::add(const std::string& name) {
  if (!std::holds_alternative<Items>(held)) held = Items();
  auto& items = std::get<Items>(held);
  items.emplace_back(name, std::make_unique<cavity_value>());
  return *items.back().second;
}

void cavity_value::put(const std::string& name, std::vector<double> values, std::size_t rows_of_it) {
  cavity_value& it = add(name);
  it.held = Elements<double>{std::move(values)};
  it.rows = rows_of_it;
}

void cavity_value::put(const std::string& name, std::vector<int> values) {
  add(name).held = Elements<int>{std::move(values)};
}

void cavity_value::put_flag(const std::string& name, bool value) { add(name).held = Flags{{{value ? 1 : 0}}}; }

void cavity_value::put(const std::string& name, const std::vector<std::string>& values) {
  add(name).held = Texts(values.begin(), values.end());
}

void cavity_value::put(const std::string& name, std::shared_ptr<const Fitted> fitted) {
  add(name).held = std::move(fitted);
}
