#include "read/number_spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/csv_rows.hpp"

namespace cavity {

namespace {

constexpr int rows_looked_at = 100;

enum class Form { other, point, comma, comma_or_thousands };

/// Digits, one comma or point, digits, with a sign before and an exponent behind.
Form form_of(std::string_view field) {
  if (field.starts_with('-') || field.starts_with('+')) field.remove_prefix(1);
  const auto digits = [&](std::size_t at) {
    std::size_t end = at;
    while (end < field.size() && is_digit(field[end])) ++end;
    return end - at;
  };
  const std::size_t before = digits(0);
  if (before == field.size() || (field[before] != ',' && field[before] != '.')) return Form::other;
  const std::size_t after = digits(before + 1);
  const char* const rest = field.data() + before + 1 + after;
  long exponent = 0;
  if (before + after == 0 || scan_exponent(rest, field.data() + field.size(), exponent) != field.data() + field.size())
    return Form::other;
  if (field[before] == '.') return Form::point;
  const bool thousands =
      before >= 1 && before <= 3 && field[0] != '0' && after == 3 && rest == field.data() + field.size();
  return thousands ? Form::comma_or_thousands : Form::comma;
}

/// Calls visit(text of the field) for the fields of at most `rows` rows. Fields whose quotes are doubled are text
/// anyway.
template <class Visit>
void for_fields(const char* p, const char* end, char delimiter, int rows, const Visit& visit) {
  std::string scratch;
  for (int row = 0; p != end && row != rows; ++row) {
    while (true) {
      const Field field = read_field(p, end, delimiter, scratch);
      if (field.fault != Fault::none) return;  // the parser says so
      if (field.text.data() >= p && field.text.data() < end) visit(field.text);
      p = field.next;
      if (p == end || *p == '\n') break;
      ++p;
    }
    p = skip_blank_rows(p, end);
  }
}

struct Forms {
  std::size_t points = 0, commas = 0, thousands = 0;
  bool decimal_commas() const { return commas > 0 && points == 0; }
};

Forms count_forms(const char* p, const char* end, char delimiter, int rows) {
  Forms out;
  for_fields(p, end, delimiter, rows, [&](std::string_view field) {
    const Form form = form_of(field);
    out.points += form == Form::point ? 1 : 0;
    out.commas += form == Form::comma ? 1 : 0;
    out.thousands += form == Form::comma_or_thousands ? 1 : 0;
  });
  return out;
}

bool commas_are_decimal(const char* p, const char* end, char delimiter, Decimal asked) {
  if (asked != Decimal::detect) return asked == Decimal::comma;
  if (!count_forms(p, end, delimiter, rows_looked_at).decimal_commas()) return false;
  return count_forms(p, end, delimiter, -1).decimal_commas();
}

/// Spelled alike, or the same number: -999 is -999.0, too.
class MissingWords {
 public:
  explicit MissingWords(const std::vector<std::string>& words) : words_(words) {
    for (const std::string& word : words)
      if (const Value value = read_value(word); value.kind == Kind::number) numbers_.push_back(value.number);
  }
  bool has(std::string_view field) const {
    if (field.empty()) return false;
    if (std::find(words_.begin(), words_.end(), field) != words_.end()) return true;
    if (numbers_.empty()) return false;
    const Value value = read_value(field);
    return value.kind == Kind::number && std::find(numbers_.begin(), numbers_.end(), value.number) != numbers_.end();
  }

 private:
  const std::vector<std::string>& words_;
  std::vector<double> numbers_;
};

bool all_digits(std::string_view text) { return std::all_of(text.begin(), text.end(), is_digit); }

/// 1,234,567 or 1.234,5 or 1,234.5 or 1 234: groups of three digits.
bool has_thousands(std::string_view field) {
  if (field.starts_with('-') || field.starts_with('+')) field.remove_prefix(1);
  const std::size_t first = field.find_first_not_of("0123456789");
  if (first == std::string_view::npos || first == 0 || first > 3) return false;
  const char separator = field[first];
  if (separator != ',' && separator != '.' && separator != ' ' && separator != '\'') return false;
  std::size_t groups = 0, at = first;
  while (at < field.size() && field[at] == separator && at + 4 <= field.size() && all_digits(field.substr(at + 1, 3))) {
    at += 4;
    ++groups;
  }
  if (groups == 0) return false;
  if (at == field.size()) return groups > 1 || separator == ' ' || separator == '\'';
  return (field[at] == '.' || field[at] == ',') && field[at] != separator && all_digits(field.substr(at + 1));
}

}  // namespace

std::optional<Bytes> plain_spelling(std::string_view text, const char* from, const char* end, char delimiter,
                                    const ReadOptions& options, std::vector<std::string>& notes) {
  const bool commas = commas_are_decimal(from, end, delimiter, options.decimal);
  if (!commas && options.missing_words.empty()) return std::nullopt;
  Bytes out;
  char* const copy = out.room(text.size());
  std::memcpy(copy, text.data(), text.size());
  out.commit(text.size());
  const MissingWords missing(options.missing_words);
  std::size_t blanked = 0;
  for_fields(from, end, delimiter, -1, [&](std::string_view field) {
    char* const to = copy + (field.data() - text.data());
    const Form form = form_of(field);
    if (commas && (form == Form::comma || form == Form::comma_or_thousands)) to[field.find(',')] = '.';
    if (!missing.has({to, field.size()})) return;
    std::fill_n(to, field.size(), ' ');
    ++blanked;
  });
  if (commas && options.decimal == Decimal::detect)
    notes.push_back("decimal commas: 4,5 is read as four and a half (`decimal=point` if it is not)");
  if (blanked > 0)
    notes.push_back(
        fmt::format("missing: {} spelled {}", counted(blanked, "value"), shown_names(options.missing_words, 8)));
  return out;
}

std::string spelling_cure(std::string_view field) {
  if (has_thousands(field)) return "thousands are set apart in it: write numbers without, as 1234.5";
  switch (form_of(field)) {
    case Form::comma_or_thousands:
      return "it may be a decimal comma or set thousands apart: say `decimal=comma`, or write numbers without (1234)";
    case Form::comma:
      return "write decimals with a point, or say `decimal=comma`; some numbers here have a point";
    default:
      return "";
  }
}

}  // namespace cavity
