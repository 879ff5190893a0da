#include "read/spreadsheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/workbook.hpp"
#include "read/xml_tokens.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_rows = 1048576, most_columns = 16384;  // Excel's own

struct Cell {
  std::size_t column = 0;
  std::string text;
};

/// "BC12": the column from 0, and the row from 1; 0 where it is none.
std::pair<std::size_t, std::size_t> place_of(std::string_view reference) {
  std::size_t column = 0, row = 0, at = 0;
  for (; at < reference.size() && reference[at] >= 'A' && reference[at] <= 'Z' && column <= most_columns; ++at)
    column = 26 * column + static_cast<std::size_t>(reference[at] - 'A') + 1;
  std::from_chars(reference.data() + at, reference.data() + reference.size(), row);
  return {column == 0 ? most_columns : column - 1, row};
}

bool needs_quotes(std::string_view text) {
  return text.find_first_of(",\"\r\n;\t") != std::string_view::npos || text.starts_with(' ') || text.ends_with(' ') ||
         text.starts_with('#') || text.starts_with('!');
}

/// Text that grows, and is refused where cells that repeat a long text make too much of it.
class CsvText {
 public:
  CsvText(std::size_t from, const std::string& path) : most_(std::max(std::size_t{32} << 20, 16 * from)), path_(path) {}

  void add(std::string_view text) {
    if (out_.view().size() + text.size() > most_)
      throw InputError(
          fmt::format("{}: its cells repeat long texts so often that they expand beyond {} MB; save the "
                      "sheet as CSV",
                      shown_path(path_), most_ >> 20));
    std::memcpy(out_.room(text.size()), text.data(), text.size());
    out_.commit(text.size());
  }
  void add_field(std::string_view text) {
    if (!needs_quotes(text)) return add(text);
    add("\"");
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t quote = std::min(text.find('"', at), text.size());
      add(text.substr(at, quote - at));
      if (quote < text.size()) add("\"\"");
      at = quote + 1;
    }
    add("\"");
  }
  Bytes take() { return std::move(out_); }

 private:
  std::size_t most_;
  const std::string& path_;
  Bytes out_;
};

/// Walks the cells of a sheet, row by row.
class SheetCells {
 public:
  SheetCells(std::string_view xml, const Workbook& workbook, const std::string& path)
      : tokens_(xml, "the sheet", path), workbook_(workbook), path_(path) {}

  /// The next row with a cell that holds something; false at the end.
  bool next_row() {
    cells_.clear();
    while (tokens_.next()) {
      if (tokens_.opens("row")) {
        start_row();
      } else if (tokens_.opens("c")) {
        read_cell();
      } else if (tokens_.closes("row") && !cells_.empty()) {
        return true;
      } else if (tokens_.closes("sheetData")) {
        return false;
      }
    }
    return false;
  }
  std::size_t row() const { return row_; }
  const std::vector<Cell>& cells() const { return cells_; }

 private:
  void start_row() {
    const std::string reference = tokens_.attribute("r");
    std::size_t row = row_ + 1;
    if (!reference.empty()) row = place_of(reference).second;
    if (row <= row_ || row > most_rows) refuse("rows are out of order");
    row_ = row;
    column_ = 0;
    cells_.clear();
  }

  void read_cell() {
    const std::string reference = tokens_.attribute("r"), type = tokens_.attribute("t"), style = tokens_.attribute("s");
    const std::size_t column = reference.empty() ? column_ : place_of(reference).first;
    if (column < column_ || column >= most_columns) refuse("cells are out of order");
    column_ = column + 1;
    std::string text = text_of_cell();
    if (text.empty()) return;
    if (type == "s")
      text = shared(text);
    else if (type == "b")
      text = text == "0" ? "FALSE" : "TRUE";
    else if ((type.empty() || type == "n") && workbook_.is_date(style))
      text = workbook_.date(text);
    if (!text.empty()) cells_.push_back({column, std::move(text)});
  }

  /// <v>, or the <t> of a text that stands in the cell; not its formula, nor how it is to be pronounced.
  std::string text_of_cell() {
    std::string out;
    bool wanted = false;
    std::size_t spoken = 0;
    while (tokens_.next() && !tokens_.closes("c")) {
      if (tokens_.opens("rPh")) ++spoken;
      if (tokens_.closes("rPh") && spoken > 0) --spoken;
      if (tokens_.kind() == XmlTokens::Kind::text) {
        if (wanted && spoken == 0) tokens_.append_text(out);
      } else {
        wanted = tokens_.opens("v") || tokens_.opens("t");
      }
    }
    return out;
  }

  std::string shared(const std::string& text) const {
    std::size_t at = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), at);
    if (error != std::errc{} || rest != text.data() + text.size() || at >= workbook_.texts.size())
      refuse("a cell names a text that is not there");
    return workbook_.texts[at];
  }

  [[noreturn]] void refuse(const char* what) const {
    throw InputError(
        fmt::format("{}: the sheet is damaged near row {}: {}; save it again", shown_path(path_), row_, what));
  }

  XmlTokens tokens_;
  const Workbook& workbook_;
  const std::string& path_;
  std::size_t row_ = 0, column_ = 0;
  std::vector<Cell> cells_;
};

/// Columns that are used. A few cells far apart would make a huge table of commas.
std::size_t width_of(SheetCells cells, const std::string& path) {
  constexpr std::size_t room = 1000000, emptiness = 64;  // fields that cost nothing, and fields a cell
  std::size_t width = 0, rows = 0, count = 0;
  while (cells.next_row()) {
    ++rows;
    count += cells.cells().size();
    width = std::max(width, cells.cells().back().column + 1);
  }
  if (count == 0) throw InputError(fmt::format("{}: the sheet is empty", shown_path(path)));
  if (rows * width > room && rows * width / emptiness > count)
    throw InputError(fmt::format("{}: the sheet is nearly empty: {} in {} rows and {} columns; save the table as CSV",
                                 shown_path(path), counted(count, "cell"), rows, width));
  return width;
}

}  // namespace

bool is_spreadsheet(const ZipArchive& archive) { return archive.has("xl/workbook.xml"); }

Bytes csv_of_spreadsheet(const ZipArchive& archive, const std::string& sheet, const std::string& path) {
  const Workbook workbook = read_workbook(archive, path);
  const Bytes xml = archive.read(workbook.part_of(sheet, path), workbook_limits());
  const std::size_t width = width_of(SheetCells(xml.view(), workbook, path), path);
  CsvText out(xml.view().size() + workbook.text_bytes, path);
  std::size_t line = 1;
  for (SheetCells cells(xml.view(), workbook, path); cells.next_row();) {
    for (; line < cells.row(); ++line) out.add("\n");
    std::size_t column = 0;
    for (const Cell& cell : cells.cells()) {
      for (; column < cell.column; ++column) out.add(",");
      out.add_field(cell.text);
    }
    for (; column + 1 < width; ++column) out.add(",");
    out.add("\n");
    ++line;
  }
  return out.take();
}

}  // namespace cavity
