#include "read/series_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "read/csv_rows.hpp"

namespace cavity {

namespace {

constexpr std::string_view mark = "!Sample_", id_column = "geo_accession", characteristics = "characteristics_";
constexpr std::size_t most_columns = 1000;  // each takes a text a sample

std::vector<std::string> fields_of(std::string_view line, const std::string& path, std::size_t number) {
  const char* const end = line.data() + line.size();
  std::vector<std::string> out;
  std::string scratch;
  for (const char* p = line.data();; ++p) {
    const Field field = read_field(p, end, '\t', scratch);
    if (field.fault != Fault::none)
      throw InputError(fmt::format("{}, line {}: unbalanced quotes", shown_path(path), number));
    out.emplace_back(field.text);
    if (field.next == end) return out;
    p = field.next;
  }
}

class SheetMaker {
 public:
  explicit SheetMaker(SampleSheet& sheet) : sheet_(sheet) {}

  void add_line(std::vector<std::string> fields, std::size_t line) {
    const std::string name = fields.front().substr(mark.size());
    fields.erase(fields.begin());
    if (sheet_.rows.empty()) {
      sheet_.rows.assign(fields.size(), std::vector<std::string>(sheet_.columns.size()));  // lines before had no values
      sheet_.lines.assign(fields.size(), line);
    }
    if (fields.size() != sheet_.rows.size())
      throw InputError(fmt::format("{}, line {}: {} of {} where the lines before have {}", shown_path(sheet_.path),
                                   line, counted(fields.size(), "value"), shown(name), sheet_.rows.size()));
    const bool of_keys = name.starts_with(characteristics);
    const std::size_t own = of_keys ? sheet_.columns.size() : new_column(name);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::size_t colon = of_keys ? fields[i].find(": ") : std::string::npos;
      if (colon != std::string::npos)
        put(i, column_of(fields[i].substr(0, colon)), fields[i].substr(colon + 2));
      else if (!of_keys)
        put(i, own, std::move(fields[i]));
      else if (!fields[i].empty())
        put(i, column_of(name), std::move(fields[i]));
    }
  }

 private:
  void put(std::size_t row, std::size_t column, std::string text) { sheet_.rows[row][column] = std::move(text); }

  std::size_t column_of(const std::string& name) {
    const auto at = std::find(sheet_.columns.begin(), sheet_.columns.end(), name);
    if (at != sheet_.columns.end()) return static_cast<std::size_t>(at - sheet_.columns.begin());
    if (sheet_.columns.size() == most_columns)
      throw InputError(
          fmt::format("{}: more than {} different !Sample_ lines and characteristics; give the samples in a "
                      "sheet of their own (`samples`)",
                      shown_path(sheet_.path), most_columns));
    sheet_.columns.push_back(name);
    for (auto& row : sheet_.rows) row.emplace_back();
    return sheet_.columns.size() - 1;
  }

  /// Lines may come again (!Sample_data_processing).
  std::size_t new_column(const std::string& name) {
    std::string own = name;
    for (int k = 2; std::find(sheet_.columns.begin(), sheet_.columns.end(), own) != sheet_.columns.end(); ++k)
      own = fmt::format("{}.{}", name, k);
    return column_of(own);
  }

  SampleSheet& sheet_;
};

}  // namespace

SampleSheet series_sheet(std::string_view text, const std::string& path, const ReadOptions& options) {
  SampleSheet sheet;
  sheet.path = path;
  SheetMaker maker(sheet);
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t\"") != std::string_view::npos && line.find('!') > 1) break;  // the table
    if (line.find(mark) > 1) continue;
    std::vector<std::string> fields = fields_of(line, path, number);
    if (fields.front().starts_with(mark)) maker.add_line(std::move(fields), number);
  }
  if (sheet.rows.empty() || sheet.columns.empty())  // samples, and nothing said of any
    throw InputError(fmt::format("{}: a GEO series matrix whose !Sample_ lines name no samples", shown_path(path)));
  const auto id = std::find(sheet.columns.begin(), sheet.columns.end(), id_column);
  sheet.id = id == sheet.columns.end() ? 0 : static_cast<std::size_t>(id - sheet.columns.begin());
  choose_id(options, sheet);
  return sheet;
}

}  // namespace cavity
