#include "read/csv_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cfloat>
#include <cmath>
#include <exception>

#include "base/threads.hpp"
#include "cavity/errors.hpp"
#include "file/lower_case.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/number_spelling.hpp"

namespace cavity {

namespace {

/// What laboratories write where there is no value.
bool is_missing_word(std::string_view text) {
  constexpr std::string_view words[] = {".",       "-",       "--",      "none",         "n.d.",   "nd",    "n.a.",
                                        "missing", "#div/0!", "#value!", "#ref!",        "#name?", "#num!", "#null!",
                                        "<na>",    "unknown", "*",       "undetermined", "failed"};
  const std::string lower = lower_case(text);
  return std::find(std::begin(words), std::end(words), lower) != std::end(words);
}

}  // namespace

void ragged(const CsvHead& head, const std::string& path, const char* row, const char* end, std::size_t line) {
  const std::size_t found = count_fields(row, find_row_end(row, end, head.delimiter), head.delimiter);
  const bool row_names = head.header && found == head.columns() + 1;
  throw InputError(fmt::format("{}, line {}: {} field{}, expected {} as in the first row{}", shown_path(path), line,
                               found, found == 1 ? "" : "s", head.columns(),
                               row_names ? "; if these are row names of R, write the table with col.names=NA" : ""));
}

void BlockParser::parse(const Block& block) {
  block_ = &block;
  std::size_t row = block.first_row;
  for (const char* p = skip_blank_rows(block.begin, block.end); p != block.end; ++row) {
    p = skip_blank_rows(parse_row(p, row), block.end);
  }
}

const char* BlockParser::parse_row(const char* p, std::size_t row) {
  row_ = p;
  const char* const end = block_->end;
  const std::size_t columns = head_.columns();
  float* out = dataset_.features.dense().row(row);
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

Field BlockParser::checked_field(const char* p, std::size_t column) {
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
const char* BlockParser::parse_odd(const char* p, std::size_t column, float& out) {
  const Field field = checked_field(p, column);
  const Value value = read_value(field.text);
  out = static_cast<float>(value.number);
  if (value.kind == Kind::missing || (value.kind == Kind::number && std::fabs(out) <= FLT_MAX)) return field.next;
  if (value.kind == Kind::text) not_a_number(p, column, field.text);
  throw InputError(
      fmt::format("{}: {} is infinite or too large for a 32-bit float; correct it, or write NA if it is missing",
                  place(p, column), shown(field.text)));
}

const char* BlockParser::keep_text(const char* p, std::size_t column, std::size_t row) {
  const Field field = checked_field(p, column);
  if (layout_.label == column) texts_.labels.values[row] = field.text;
  if (layout_.sample_id == column) texts_.sample_names[row] = field.text;
  if (layout_.group == column) texts_.groups[row] = field.text;
  for (std::size_t i = 0; i < layout_.covariates.size(); ++i) {
    if (layout_.covariates[i] == column) texts_.covariates[i].values[row] = field.text;
  }
  return field.next;
}

std::size_t BlockParser::line_of(const char* p) {
  // Rows come in order: count on from the last line asked for.
  if (counted_ == nullptr || counted_ < block_->begin || counted_ > p) {
    counted_ = block_->begin;
    line_ = block_->first_line;
  }
  line_ += static_cast<std::size_t>(std::count(counted_, p, '\n'));
  counted_ = p;
  return line_;
}

std::string BlockParser::place(const char* p, std::size_t column) {
  const std::string name = shown(layout_.names[column]);
  return fmt::format("{}, line {}, column {} ({})", shown_path(path_), line_of(p), column + 1,
                     std::string_view(name).substr(1, name.size() - 2));
}

void BlockParser::not_a_number(const char* p, std::size_t column, std::string_view text) {
  std::string cure = spelling_cure(text);
  if (cure.empty() && is_missing_word(text))
    cure = fmt::format("if it stands for a missing value, say `na='{}'`", text);
  if (cure.empty())
    cure =
        "write NA or nothing for a missing value, or name the word that stands for it (`na`); a column of text can "
        "be the label (`label`), the sample id (`id`), a covariate (`covariates`), say which samples belong together "
        "(`group`), or be left out (`drop`)";
  const char* hint = head_.columns() == 1 ? no_separator : "";
  throw InputError(fmt::format("{}: {} is not a number; {}{}", place(p, column), shown(text), cure, hint));
}

void parse_blocks(const std::vector<Block>& blocks, const BlockParser& parser, const Bytes& bytes, unsigned threads) {
  ThreadPool pool(blocks.size() == 1 ? 1 : threads);  // small files are not worth a thread
  std::vector<std::exception_ptr> errors(blocks.size());
  std::atomic<std::size_t> first_error = blocks.size();
  pool.run(blocks.size(), [&](std::size_t i) {
    if (i > first_error) return;
    try {
      BlockParser mine = parser;
      mine.parse(blocks[i]);
    } catch (...) {
      errors[i] = std::current_exception();
      for (std::size_t known = first_error; i < known && !first_error.compare_exchange_weak(known, i);) {
      }
    }
    bytes.release(blocks[i].begin, blocks[i].end);
  });
  if (first_error < blocks.size()) std::rethrow_exception(errors[first_error]);
}

}  // namespace cavity
