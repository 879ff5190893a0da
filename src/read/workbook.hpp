// What an .xlsx workbook says beside its sheets: their names and parts, the texts that cells share, which numbers are
// dates.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "file/zip_archive.hpp"

namespace cavity {

/// XML of tables compresses a hundredfold at most.
inline ExpansionLimits workbook_limits() { return {.ratio = 200}; }

struct Workbook {
  struct Sheet {
    std::string name, part;
  };
  std::vector<Sheet> sheets;
  std::vector<std::string> texts;
  std::size_t text_bytes = 0;
  std::vector<bool> date_styles;  // a style of cells
  bool from_1904 = false;

  /// UsageError, with the names there are, for a sheet that is not there.
  std::string part_of(const std::string& sheet, const std::string& path) const;
  bool is_date(const std::string& style) const;
  /// 2024-01-31 of a number of days; a number that is none stays.
  std::string date(const std::string& days) const;
};

Workbook read_workbook(const ZipArchive& archive, const std::string& path);

}  // namespace cavity
