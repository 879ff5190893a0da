// Parts of the C++20 standard library that emscripten 3.1.6 (libc++ 14) does not have, as far as the library uses them.
// Included before every file of the WebAssembly build; it goes when Debian's emscripten has them.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

namespace std::ranges {

template <class Compare, class Projection>
auto projected(Compare compare, Projection projection) {
  return [=](const auto& a, const auto& b) {
    return std::invoke(compare, std::invoke(projection, a), std::invoke(projection, b));
  };
}

template <class Range, class Compare = std::less<>, class Projection = std::identity>
void sort(Range&& range, Compare compare = {}, Projection projection = {}) {
  std::sort(std::begin(range), std::end(range), projected(compare, projection));
}

template <class Range, class Compare = std::less<>, class Projection = std::identity>
void stable_sort(Range&& range, Compare compare = {}, Projection projection = {}) {
  std::stable_sort(std::begin(range), std::end(range), projected(compare, projection));
}

template <class Range, class Compare = std::less<>, class Projection = std::identity>
auto max_element(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::max_element(std::begin(range), std::end(range), projected(compare, projection));
}

template <class Range, class Compare = std::less<>, class Projection = std::identity>
auto min_element(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::min_element(std::begin(range), std::end(range), projected(compare, projection));
}

template <class Range, class Value, class Projection = std::identity>
auto find(Range&& range, const Value& value, Projection projection = {}) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](const auto& x) { return std::invoke(projection, x) == value; });
}

template <class Range, class Value>
auto count(Range&& range, const Value& value) {
  return std::count(std::begin(range), std::end(range), value);
}

template <class Range, class Predicate>
auto count_if(Range&& range, Predicate predicate) {
  return std::count_if(std::begin(range), std::end(range), predicate);
}

template <class Range, class Predicate>
bool any_of(Range&& range, Predicate predicate) {
  return std::any_of(std::begin(range), std::end(range), predicate);
}

template <class Range, class Predicate>
bool all_of(Range&& range, Predicate predicate) {
  return std::all_of(std::begin(range), std::end(range), predicate);
}

template <class Range, class Value>
auto lower_bound(Range&& range, const Value& value) {
  return std::lower_bound(std::begin(range), std::end(range), value);
}

template <class Range, class Value>
bool binary_search(Range&& range, const Value& value) {
  return std::binary_search(std::begin(range), std::end(range), value);
}

template <class Range, class Value>
void fill(Range&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
}

}  // namespace std::ranges

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

/// By strtod, which rounds correctly here (musl); the text is copied, since it may go on behind `last`.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string text(first, last);
  const bool number = !text.empty() && text[0] != '+' && text.find_first_not_of("0123456789+-.eE") == string::npos;
  char* end = nullptr;
  const double read = number ? strtod(text.c_str(), &end) : 0;
  if (!number || end == text.c_str()) return {first, errc::invalid_argument};
  const char* const rest = first + (end - text.c_str());
  const bool digits = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") != string::npos;
  if (isinf(read) || (read == 0 && digits)) return {rest, errc::result_out_of_range};
  value = read;
  return {rest, errc{}};
}

}  // namespace std
