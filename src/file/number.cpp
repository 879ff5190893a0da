#include "file/number.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "file/lower_case.hpp"

namespace cavity {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  for (const auto candidate : words) {
    if (word == candidate) return true;
  }
  return false;
}

/// Digits between the first that is not 0 and the point, negative when it stands behind the point.
long leading_digits(const char* p, const char* end) {
  long digits = 0;
  while (p != end && !(is_digit(*p) || *p == '.')) ++p;
  while (p != end && *p == '0') ++p;
  for (; p != end && is_digit(*p); ++p) ++digits;
  if (digits > 0 || p == end || *p != '.') return digits;
  for (++p; p != end && *p == '0'; ++p) --digits;
  return digits;
}

}  // namespace

double number_from_chars(const char* begin, const char* end, long exponent) {
  const bool negative = *begin == '-';
  if (*begin == '+') ++begin;
  double value = 0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    // from_chars says the same of too large and too small, and leaves the value alone.
    value = leading_digits(begin, end) + exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    return negative ? -value : value;
  }
  return rest == end && error == std::errc{} ? value : nan;
}

Value read_value(std::string_view field) {
  if (field.empty()) return {Kind::missing, nan};
  double number = 0;
  const char* end = field.data() + field.size();
  if (scan_number(field.data(), end, number) == end) {
    if (std::isinf(number)) return {Kind::infinite, nan};
    return {Kind::number, number};
  }
  if (field.size() > 9) return {Kind::text, nan};
  const std::string word = lower_case(field);
  if (is_one_of(word, {"na", "nan", "-nan", "+nan", "n/a", "#n/a", "null", "?"})) return {Kind::missing, nan};
  const std::string_view size = word[0] == '-' || word[0] == '+' ? std::string_view(word).substr(1) : word;
  if (is_one_of(size, {"inf", "infinity"})) return {Kind::infinite, nan};
  return {Kind::text, nan};
}

}  // namespace cavity
