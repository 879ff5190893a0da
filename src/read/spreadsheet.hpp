// A sheet of an .xlsx workbook (ECMA-376) as the text of a CSV, which the reader of tables then reads: numbers as they
// are stored, line k being row k of the sheet.
#pragma once

#include <string>

#include "file/bytes.hpp"
#include "file/zip_archive.hpp"

namespace cavity {

/// Whether the archive is a workbook.
bool is_spreadsheet(const ZipArchive& archive);

/// `sheet` by name or 1-based position; empty: the first. Dates become 2024-01-31. UsageError, with their names, for a
/// sheet that is not there; InputError for a workbook that is damaged, nearly empty or expands beyond reason.
Bytes csv_of_spreadsheet(const ZipArchive& archive, const std::string& sheet, const std::string& path);

}  // namespace cavity
