// Decimal numbers of text files. The inlined path is exact: at most 19 digits whose value fits 53 bits, scaled by a
// power of ten that is itself exact, round once (Clinger 1990); anything else goes to std::from_chars.
#pragma once

#include <cstdint>
#include <string_view>

namespace cavity {

inline constexpr double exact_powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// The number spelled by all of [begin, end), known to be well formed; `exponent` is the one written after its e.
double number_from_chars(const char* begin, const char* end, long exponent);

/// Reads an exponent such as e-5 at p; returns p itself when there is none.
inline const char* scan_exponent(const char* p, const char* end, long& exponent) {
  if (p == end || (*p != 'e' && *p != 'E')) return p;
  const char* q = p + 1;
  bool negative = false;
  if (q != end && (*q == '-' || *q == '+')) negative = *q++ == '-';
  if (q == end || !is_digit(*q)) return p;
  long value = 0;
  for (; q != end && is_digit(*q); ++q) value = value < 100000 ? value * 10 + (*q - '0') : value;
  exponent += negative ? -value : value;
  return q;
}

/// Reads the number that starts at p; returns where it ends, or nullptr when there is none. Too large: infinity.
inline const char* scan_number(const char* p, const char* end, double& value) {
  const char* const begin = p;
  bool negative = false;
  if (p != end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  std::uint64_t mantissa = 0;  // wraps past 19 digits; not used then
  const char* digits = p;
  for (; p != end && is_digit(*p); ++p) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
  long count = p - digits, exponent = 0;
  if (p != end && *p == '.') {
    digits = ++p;
    for (; p != end && is_digit(*p); ++p) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
    exponent = digits - p;
    count += p - digits;
  }
  if (count == 0) return nullptr;
  long shift = 0;
  p = scan_exponent(p, end, shift);
  exponent += shift;
  if (count <= 19 && mantissa <= (std::uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) [[likely]] {
    const double exact = static_cast<double>(mantissa);
    const double size = exponent < 0 ? exact / exact_powers_of_ten[-exponent] : exact * exact_powers_of_ten[exponent];
    value = negative ? -size : size;
  } else {
    value = number_from_chars(begin, p, shift);
  }
  return p;
}

enum class Kind : std::uint8_t { number, missing, infinite, text };

struct Value {
  Kind kind;
  double number;  // NaN unless kind is number
};

/// What a field says. Missing: empty, NA, NaN, N/A, #N/A, null and ?, in any case. Infinite: inf, or too large for a
/// double.
Value read_value(std::string_view field);

}  // namespace cavity
