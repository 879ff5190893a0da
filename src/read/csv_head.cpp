#include "read/csv_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "cavity/errors.hpp"
#include "file/lower_case.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/csv_rows.hpp"

namespace cavity {

namespace {

constexpr int rows_looked_at = 100;

std::vector<std::string_view> split_row(CsvHead& head, const char* p, const char* row_end) {
  std::vector<std::string_view> fields;
  fields.reserve(count_fields(p, row_end, head.delimiter));
  std::string scratch;
  while (true) {
    const Field field = read_field(p, row_end, head.delimiter, scratch);
    const bool in_text = field.text.empty() || (field.text.data() >= p && field.text.data() < row_end);
    fields.push_back(in_text ? field.text : head.rewritten.emplace_back(field.text));
    if (field.next == row_end || field.fault != Fault::none) return fields;
    p = field.next + 1;
  }
}

void look_at_row(CsvHead& head, const char* p, const char* row_end) {
  std::string scratch;
  for (std::size_t column = 0; column < head.columns(); ++column) {
    const Field field = read_field(p, row_end, head.delimiter, scratch);
    const Kind kind = read_value(field.text).kind;
    if (kind == Kind::number || kind == Kind::infinite) head.numbers[column] = 1;
    if (kind == Kind::text) head.texts[column] = 1;
    if (field.text == head.first[column]) head.repeats[column] = 1;
    if (field.next == row_end || field.fault != Fault::none) return;  // ragged or broken: the parser says so
    p = field.next + 1;
  }
}

bool is_text(std::string_view field) { return read_value(field).kind == Kind::text; }

bool has_text_over_numbers(const CsvHead& head) {
  for (std::size_t column = 0; column < head.columns(); ++column) {
    if (is_text(head.first[column]) && head.numbers[column] && !head.texts[column]) return true;
  }
  return false;
}

/// Names asked for show a header even where names are numbers (Entrez ids) and every label is text.
bool has_known_name(const CsvHead& head, const ReadOptions& options) {
  std::unordered_set<std::string> wanted(options.covariates.begin(), options.covariates.end());
  wanted.insert(options.label);
  wanted.insert(options.sample_id);
  const std::unordered_set<std::string> model(options.expected_features.begin(), options.expected_features.end());
  std::size_t features = 0;
  for (std::size_t column = 0; column < head.columns(); ++column) {
    const std::string name(head.first[column]);
    // A name seen again below is a class; and y may be one (yes) even if it is not.
    const bool known = (is_label_name(name) && name.size() > 1) || wanted.contains(name) || model.contains(name);
    if (known && is_text(name) && !head.repeats[column]) return true;
    features += model.contains(name) ? 1 : 0;
  }
  return !model.empty() && features == model.size();
}

bool detect_header(const CsvHead& head, const ReadOptions& options) {
  if (options.header != Header::detect) return options.header == Header::present;
  if (head.second.empty()) {  // one row only
    const auto texts = static_cast<std::size_t>(std::count_if(head.first.begin(), head.first.end(), is_text));
    return has_known_name(head, options) || 2 * texts > head.columns();
  }
  return has_text_over_numbers(head) || has_known_name(head, options);
}

}  // namespace

bool is_label_name(std::string_view name) {
  const std::string lower = lower_case(name);
  return lower == "label" || lower == "class" || lower == "y" || lower == "target";
}

CsvHead read_head(std::string_view text, const std::string& path, const ReadOptions& options) {
  const char* const end = text.data() + text.size();
  const char* const row = skip_blank_rows(text.data(), end);
  if (row == end) throw InputError(fmt::format("{}: the file is empty", shown_path(path)));
  CsvHead head;
  head.delimiter = detect_delimiter(text);
  const char* row_end = find_row_end(row, end, head.delimiter);
  head.first = split_row(head, row, row_end);
  head.numbers.resize(head.columns());
  head.texts.resize(head.columns());
  head.repeats.resize(head.columns());
  const char* p = skip_blank_rows(row_end, end);
  const char* const second = p;
  for (int rows = 0; rows < rows_looked_at && p != end; ++rows) {
    const char* next = find_row_end(p, end, head.delimiter);
    if (rows == 0) head.second = split_row(head, p, next);
    look_at_row(head, p, next);
    p = skip_blank_rows(next, end);
  }
  head.header = detect_header(head, options);
  head.data = head.header ? second : row;
  head.data_line = 1 + static_cast<std::size_t>(std::count(text.data(), head.data, '\n'));
  if (head.header && second == end) {
    throw InputError(fmt::format("{}: a header and no samples below it", shown_path(path)));
  }
  if (!head.header) look_at_row(head, row, row_end);
  return head;
}

}  // namespace cavity
