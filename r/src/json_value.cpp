#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "cavity/report.hpp"
#include "describe.hpp"

namespace {

using Json = nlohmann::ordered_json;

template <class Is>
bool all_are(const Json& array, Is is) {
  return std::all_of(array.begin(), array.end(), is);
}

double number_or_missing(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

std::string spelled(const std::string& text, bool options) {
  return options ? cavity::spell_options(text, cavity::OptionStyle::python) : text;
}

/// `options`: texts that name options.
cavity_value converted(const Json& json, bool options);

cavity_value array_value(const Json& json, bool options) {
  cavity_value out;
  if (json.empty()) {
    out.held = cavity_value::Items();
  } else if (all_are(json, [](const Json& j) { return j.is_boolean(); })) {
    out.held = Flags{{json.get<std::vector<int>>()}};
  } else if (all_are(json, [](const Json& j) { return j.is_string(); })) {
    Texts texts;
    for (const Json& item : json) texts.emplace_back(spelled(item.get<std::string>(), options));
    out.held = std::move(texts);
  } else if (all_are(json, [](const Json& j) { return j.is_number() || j.is_null(); })) {
    std::vector<double> numbers;
    std::transform(json.begin(), json.end(), std::back_inserter(numbers), number_or_missing);
    out.held = Elements<double>{std::move(numbers)};
  } else {
    for (const Json& item : json) out.add("") = converted(item, options);
  }
  return out;
}

cavity_value converted(const Json& json, bool options) {
  if (json.is_array()) return array_value(json, options);
  if (!json.is_object()) return json.is_null() ? cavity_value() : array_value(Json::array({json}), options);
  cavity_value out;
  out.held = cavity_value::Items();
  for (const auto& [key, item] : json.items())
    out.add(key) = converted(item, options || key == "notes" || key == "warnings");
  return out;
}

}  // namespace

cavity_value value_of(const Json& json) { return converted(json, false); }
