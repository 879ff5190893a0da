#include "read/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/csv_block.hpp"
#include "read/csv_head.hpp"
#include "read/csv_layout.hpp"
#include "read/csv_rows.hpp"
#include "read/features_in_rows.hpp"
#include "read/keep_samples.hpp"
#include "read/labels.hpp"
#include "read/number_spelling.hpp"
#include "table/matrix_size.hpp"

namespace cavity {

namespace {

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

void reject_bare_carriage_returns(std::string_view text, const std::string& path) {
  const std::string_view start = text.substr(0, std::size_t{1} << 20);
  if (start.find('\n') != std::string_view::npos) return;
  const std::size_t at = start.find('\r');
  if (at == std::string_view::npos || at + 1 >= text.size()) return;
  throw InputError(fmt::format("{}: lines end with a carriage return alone (old Mac text); convert them to LF or CRLF",
                               shown_path(path)));
}

TextColumns make_text_columns(const CsvLayout& layout, std::size_t rows, const std::string& path) {
  TextColumns texts;
  texts.labels.path = path;
  if (layout.label) {
    texts.labels.values.resize(rows);
    texts.labels.lines.resize(rows);
  }
  if (layout.sample_id) texts.sample_names.resize(rows);
  if (layout.group) texts.groups.resize(rows);
  for (const std::size_t column : layout.covariates) {
    texts.covariates.push_back({layout.names[column], std::vector<std::string>(rows)});
  }
  return texts;
}

/// A row has at least one byte a column. Without this a file of short lines under a wide header would ask for a huge
/// matrix before the parser finds the lines too short.
void reject_short_rows(const CsvHead& head, const std::string& path, std::size_t rows, const char* end) {
  if (rows <= (static_cast<std::size_t>(end - head.data) + 1) / head.columns()) return;
  std::size_t line = head.data_line;
  for (const char* p = head.data; p != end;) {
    const char* row_end = find_row_end(p, end, head.delimiter);
    if (count_fields(p, row_end, head.delimiter) != head.columns()) ragged(head, path, p, end, line);
    const char* next = skip_blank_rows(row_end, end);
    line += static_cast<std::size_t>(std::count(p, next, '\n'));
    p = next;
  }
}

void note_format(Dataset& dataset, const CsvHead& head) {
  const char* separator = head.delimiter == '\t' ? "tab" : head.delimiter == ';' ? "semicolon" : "comma";
  dataset.notes.push_back(fmt::format("format: table, {} separated", separator));
  if (head.lines_before > 0)
    dataset.notes.push_back(counted(head.lines_before, "line") + " before the table, that begin with # or !, left out");
  const auto numbers = std::count_if(head.first.begin(), head.first.end(),
                                     [](std::string_view name) { return read_value(name).kind == Kind::number; });
  if (!head.header) dataset.notes.push_back("header: none, features are named x1, x2, ...");
  if (head.header && head.row_names) dataset.notes.push_back("header: first row, one name short: R's row names");
  if (head.header && numbers == 0 && !head.row_names) dataset.notes.push_back("header: first row");
  if (head.header && numbers > 0) {
    dataset.notes.push_back(
        fmt::format("header: first row, though {} of its {} names are numbers", numbers, head.columns()));
  }
}

void name_features(const CsvLayout& layout, Dataset& dataset) {
  for (std::size_t column = 0; column < layout.roles.size(); ++column)
    if (layout.roles[column] == Role::feature) dataset.feature_names.push_back(layout.names[column]);
}

void take_texts(const CsvLayout& layout, TextColumns& texts, Dataset& dataset) {
  dataset.sample_names = layout.sample_id ? std::move(texts.sample_names) : numbered_names("", 1, dataset.samples());
  dataset.covariates = std::move(texts.covariates);
  dataset.groups = std::move(texts.groups);
  if (layout.label) dataset.label_name = layout.names[*layout.label];
}

/// Once decimals have a point.
Dataset read_plain(const Bytes& bytes, CsvHead head, const std::string& path, const ReadOptions& options,
                   std::vector<std::string> notes) {
  Dataset dataset;
  note_format(dataset, head);
  dataset.notes.insert(dataset.notes.end(), notes.begin(), notes.end());
  const char* const end = head.end;
  if (has_features_in_rows(head, end, options))
    return read_features_in_rows(bytes, end, head, path, options, std::move(dataset.notes));
  const CsvLayout layout = plan_columns(head, path, options, dataset.notes);
  if (layout.features == 0)
    throw InputError(fmt::format("{}: no features{}", shown_path(path), head.columns() == 1 ? no_separator : ""));
  const auto blocks = cut_blocks(head.data, end, head.delimiter, head.data_line);
  bytes.release_before(end);
  const std::size_t rows = blocks.back().first_row + blocks.back().rows;
  reject_short_rows(head, path, rows, end);
  dataset.features = allocate_features(rows, layout.features, path);
  TextColumns texts = make_text_columns(layout, rows, path);
  const BlockParser parser(head, layout, path, dataset, texts);
  parse_blocks(blocks, parser, bytes, options.threads);
  take_texts(layout, texts, dataset);
  drop_unlabelled(texts.labels, options, dataset);
  assign_labels(dataset, texts.labels, options);
  name_features(layout, dataset);  // a million names are worth waiting for
  if (head.header && layout.sample_id) dataset.id_name = head.first[*layout.sample_id];
  return dataset;
}

}  // namespace

Dataset read_csv(const Bytes& bytes, const std::string& path, const ReadOptions& options) {
  if (!options.labels_file.empty())
    throw UsageError("a separate file of labels goes with .npy; a table has a label column");
  const std::string_view text = without_byte_order_mark(bytes.view());
  reject_bare_carriage_returns(text, path);
  reject_nul(text, 0, path);
  CsvHead head = read_head(text, path, options);
  std::vector<std::string> notes;
  const auto plain = plain_spelling(text, head.data, head.end, head.delimiter, options, notes);
  if (!plain) return read_plain(bytes, std::move(head), path, options, std::move(notes));
  return read_plain(*plain, read_head(plain->view(), path, options), path, options, std::move(notes));
}

}  // namespace cavity
