#include "read/csv_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "cavity/errors.hpp"
#include "file/lower_case.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/csv_rows.hpp"
#include "read/table_part.hpp"

namespace cavity {

namespace {

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
  const auto& ids = options.known_samples.ids;
  std::unordered_set<std::string> wanted(options.covariates.begin(), options.covariates.end());
  const std::unordered_set<std::string_view> samples(ids.begin(), ids.end());
  const auto known_samples = std::count_if(head.first.begin(), head.first.end(),
                                           [&](std::string_view name) { return samples.contains(name); });
  if (known_samples > 1) return true;  // features in rows; one alone is the id of a sample
  wanted.insert(options.label);
  wanted.insert(options.sample_id);
  wanted.insert(options.group);
  wanted.insert(options.known_samples.column);
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

bool mostly_text(const CsvHead& head) {
  return 2 * std::count_if(head.first.begin(), head.first.end(), is_text) > static_cast<std::ptrdiff_t>(head.columns());
}

/// A row that may hold the labels of samples in columns.
bool starts_label_row(const CsvHead& head, const char* p, const char* row_end, const ReadOptions& options) {
  std::string scratch;
  const std::string_view name = read_field(p, row_end, head.delimiter, scratch).text;
  return options.label.empty() ? is_label_name(name) && name.size() > 1 : name == options.label;
}

bool detect_header(const CsvHead& head, const ReadOptions& options) {
  if (options.header != Header::detect) return options.header == Header::present;
  if (options.orientation == Orientation::features_in_rows || head.row_names) return true;
  if (head.second.empty()) {  // one row only
    return has_known_name(head, options) || mostly_text(head);
  }
  return has_text_over_numbers(head) || has_known_name(head, options) ||
         (head.label_row && mostly_text(head) && is_text(head.second.front()));
}

/// R's write.table: names over all columns but the first. Every row looked at has one field more than the first row,
/// which is mostly text, and the field more is not just a delimiter that ends each line.
bool has_row_names(const CsvHead& head, const char* p, const char* end) {
  if (head.second.size() != head.columns() + 1 || !mostly_text(head)) return false;
  bool ends_in_value = false;
  for (int rows = 0; rows < rows_looked_at && p != end; ++rows) {
    const char* row_end = find_row_end(p, end, head.delimiter);
    if (count_fields(p, row_end, head.delimiter) != head.columns() + 1) return false;
    while (row_end != p && row_end[-1] == '\r') --row_end;
    ends_in_value = ends_in_value || row_end[-1] != head.delimiter;
    p = skip_blank_rows(row_end, end);
  }
  return ends_in_value;
}

/// "#OTU ID" is called OTU ID.
std::string_view without_mark(std::string_view name) {
  name.remove_prefix(std::min<std::size_t>(1, name.size()));
  while (name.starts_with(' ')) name.remove_prefix(1);
  return name;
}

}  // namespace

bool is_label_name(std::string_view name) {
  const std::string lower = lower_case(name);
  return lower == "label" || lower == "class" || lower == "y" || lower == "target";
}

bool is_outcome_name(std::string_view name) {
  const std::string lower = lower_case(name);
  constexpr std::string_view names[] = {"diagnosis", "status", "outcome", "group", "condition", "phenotype"};
  return std::find(std::begin(names), std::end(names), lower) != std::end(names);
}

CsvHead read_head(std::string_view text, const std::string& path, const ReadOptions& options) {
  const TablePart part = table_part(text);
  const char* const end = part.text.data() + part.text.size();
  const char* const row = skip_blank_rows(text.data() + part.begin, end);
  if (row == end)
    throw InputError(fmt::format("{}: the file is empty{}", shown_path(path),
                                 part.lines_before > 0 ? " but for lines that begin with # or !" : ""));
  CsvHead head;
  head.lines_before = part.lines_before;
  head.end = end;
  head.delimiter = detect_delimiter({row, static_cast<std::size_t>(end - row)});
  const char* row_end = find_row_end(row, end, head.delimiter);
  head.first = split_row(head, row, row_end);
  if (part.marked_header) head.first.front() = without_mark(head.first.front());
  const char* p = skip_blank_rows(row_end, end);
  const char* const second = p;
  if (p != end) head.second = split_row(head, p, find_row_end(p, end, head.delimiter));
  head.row_names = options.header != Header::absent && has_row_names(head, p, end);
  if (head.row_names) head.first.insert(head.first.begin(), std::string_view());
  head.numbers.resize(head.columns());
  head.texts.resize(head.columns());
  head.repeats.resize(head.columns());
  for (int rows = 0; rows < rows_looked_at && p != end; ++rows) {
    const char* next = find_row_end(p, end, head.delimiter);
    look_at_row(head, p, next);
    head.label_row = head.label_row || starts_label_row(head, p, next, options);
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
