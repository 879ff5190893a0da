#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "cavity/errors.hpp"
#include "data/content.hpp"
#include "data/csv_head.hpp"
#include "data/csv_layout.hpp"
#include "data/csv_rows.hpp"
#include "data/labels.hpp"
#include "data/matrix_size.hpp"
#include "data/messages.hpp"
#include "data/number.hpp"

namespace cavity::data {

namespace {

constexpr const char* no_separator = "; columns are separated by a comma, a tab or a semicolon, and there is none";

/// Slots for the columns that are not features; each block fills its own rows.
struct TextColumns {
  LabelTexts labels;
  std::vector<std::string> sample_names;
  std::vector<CovariateColumn> covariates;
};

[[noreturn]] void ragged(const CsvHead& head, const std::string& path, const char* row, const char* end,
                         std::size_t line) {
  const std::size_t found = count_fields(row, find_row_end(row, end, head.delimiter), head.delimiter);
  const bool row_names = head.header && found == head.columns() + 1;
  throw InputError(fmt::format("{}, line {}: {} field{}, expected {} as in the first row{}", shown_path(path), line,
                               found, found == 1 ? "" : "s", head.columns(),
                               row_names ? "; if these are row names of R, write the table with col.names=NA" : ""));
}

class BlockParser {
 public:
  BlockParser(const CsvHead& head, const CsvLayout& layout, const std::string& path, Dataset& dataset,
              TextColumns& texts)
      : head_(head), layout_(layout), path_(path), dataset_(dataset), texts_(texts) {}

  void parse(const Block& block) {
    block_ = &block;
    std::size_t row = block.first_row;
    for (const char* p = skip_blank_rows(block.begin, block.end); p != block.end; ++row) {
      p = skip_blank_rows(parse_row(p, row), block.end);
    }
  }

 private:
  /// Returns the end of the row.
  const char* parse_row(const char* p, std::size_t row) {
    row_ = p;
    const char* const end = block_->end;
    const std::size_t columns = head_.columns();
    float* out = dataset_.features.row(row);
    if (layout_.label) texts_.labels.lines[row] = line_of(p);
    for (std::size_t column = 0; column < columns; ++column) {
      const char* next = nullptr;
      if (layout_.roles[column] == Role::feature) {
        double number = 0;
        next = scan_number(p, end, number);
        const bool whole = next != nullptr && (next == end || *next == head_.delimiter || *next == '\n');
        *out = static_cast<float>(number);
        if (!whole || !(std::fabs(*out) <= FLT_MAX)) [[unlikely]]
          next = parse_odd(p, column, *out);
        ++out;
      } else {
        next = keep_text(p, column, row);
      }
      const bool row_ends = next == end || *next == '\n';
      if (row_ends != (column + 1 == columns)) ragged(head_, path_, row_, block_->end, line_of(row_));
      p = next + (row_ends ? 0 : 1);
    }
    return p;
  }

  Field checked_field(const char* p, std::size_t column) {
    const Field field = read_field(p, block_->end, head_.delimiter, scratch_);
    if (field.fault == Fault::unclosed_quote) {
      throw InputError(fmt::format("{}: a quote is opened and never closed; close it, or double quotes inside quotes",
                                   place(p, column)));
    }
    if (field.fault == Fault::text_after_quote) {
      throw InputError(fmt::format("{}: text after the closing quote of {}; double quotes inside quotes",
                                   place(p, column), shown(field.text)));
    }
    return field;
  }

  /// A field that is not a plain number: spaces, quotes, a missing value, or an error.
  const char* parse_odd(const char* p, std::size_t column, float& out) {
    const Field field = checked_field(p, column);
    const Value value = read_value(field.text);
    out = static_cast<float>(value.number);
    if (value.kind == Kind::missing || (value.kind == Kind::number && std::fabs(out) <= FLT_MAX)) return field.next;
    if (value.kind == Kind::text) not_a_number(p, column, field.text);
    throw InputError(
        fmt::format("{}: {} is infinite or too large for a 32-bit float; correct it, or write NA if it is missing",
                    place(p, column), shown(field.text)));
  }

  const char* keep_text(const char* p, std::size_t column, std::size_t row) {
    const Field field = checked_field(p, column);
    if (layout_.label == column) texts_.labels.values[row] = field.text;
    if (layout_.sample_id == column) texts_.sample_names[row] = field.text;
    for (std::size_t i = 0; i < layout_.covariates.size(); ++i) {
      if (layout_.covariates[i] == column) texts_.covariates[i].values[row] = field.text;
    }
    return field.next;
  }

  std::size_t line_of(const char* p) {
    // Rows come in order: count on from the last line asked for.
    if (counted_ == nullptr || counted_ < block_->begin || counted_ > p) {
      counted_ = block_->begin;
      line_ = block_->first_line;
    }
    line_ += static_cast<std::size_t>(std::count(counted_, p, '\n'));
    counted_ = p;
    return line_;
  }

  std::string place(const char* p, std::size_t column) {
    return fmt::format("{}, line {}, column {} ({})", shown_path(path_), line_of(p), column + 1, layout_.names[column]);
  }

  [[noreturn]] void not_a_number(const char* p, std::size_t column, std::string_view text) {
    std::string cure =
        "write NA or nothing for a missing value; a column of text can be the label, the sample id or a covariate";
    std::string point(text);
    std::replace(point.begin(), point.end(), ',', '.');
    if (point != text && read_value(point).kind == Kind::number) cure = "write decimals with a point";
    const char* hint = head_.columns() == 1 ? no_separator : "";
    throw InputError(fmt::format("{}: {} is not a number; {}{}", place(p, column), shown(text), cure, hint));
  }

  const CsvHead& head_;
  const CsvLayout& layout_;
  const std::string& path_;
  Dataset& dataset_;
  TextColumns& texts_;
  const Block* block_ = nullptr;
  const char* row_ = nullptr;
  const char* counted_ = nullptr;
  std::size_t line_ = 0;
  std::string scratch_;
};

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
  dataset.notes.push_back(head.header ? "header: first row" : "header: none, features are named x1, x2, ...");
}

}  // namespace

Dataset read_csv(const Bytes& bytes, const std::string& path, const ReadOptions& options) {
  if (!options.labels_file.empty())
    throw UsageError("a separate file of labels goes with .npy; a table has a label column");
  const std::string_view text = without_byte_order_mark(bytes.view());
  reject_bare_carriage_returns(text, path);
  reject_nul(text, 0, path);
  Dataset dataset;
  const CsvHead head = read_head(text, path, options);
  note_format(dataset, head);
  const CsvLayout layout = plan_columns(head, path, options, dataset.notes);
  if (layout.features == 0) {
    throw InputError(fmt::format("{}: no features{}", shown_path(path), head.columns() == 1 ? no_separator : ""));
  }
  const char* const end = text.data() + text.size();
  const auto blocks = cut_blocks(head.data, end, head.delimiter, head.data_line);
  bytes.release_before(end);
  const std::size_t rows = blocks.back().first_row + blocks.back().rows;
  reject_short_rows(head, path, rows, end);
  dataset.features = allocate_features(rows, layout.features, path);
  TextColumns texts = make_text_columns(layout, rows, path);
  BlockParser parser(head, layout, path, dataset, texts);
  for (const Block& block : blocks) {
    parser.parse(block);
    bytes.release_before(block.end);
  }
  for (std::size_t column = 0; column < head.columns(); ++column) {
    if (layout.roles[column] == Role::feature) dataset.feature_names.push_back(layout.names[column]);
  }
  dataset.sample_names = layout.sample_id ? std::move(texts.sample_names) : numbered_names("", 1, rows);
  dataset.covariates = std::move(texts.covariates);
  if (layout.label) dataset.label_name = layout.names[*layout.label];
  assign_labels(dataset, texts.labels, options);
  return dataset;
}

}  // namespace cavity::data
