// Workbooks, .npz and other zip archives that are wrong, or odd.
#pragma once

#include "corpus/corpus_file.hpp"
#include "support/temp_files.hpp"
#include "support/zip_files.hpp"

namespace cavity::test {

/// The good table as rows of a sheet: numbers as numbers, text in the cells.
inline std::string good_rows(const std::string& text = good_table) {
  std::string out = "<row>", field;
  for (const char c : text) {
    if (c != ',' && c != '\n') {
      field += c;
      continue;
    }
    const bool number = !field.empty() && field.find_first_not_of("0123456789.-") == std::string::npos;
    out += number ? "<c><v>" + field + "</v></c>" : "<c t=\"str\"><v>" + field + "</v></c>";
    field.clear();
    if (c == '\n') out += "</row><row>";
  }
  return out + "</row>";
}

inline Corpus archive_corpus() {
  using namespace std::string_literals;
  const std::string good = zip(workbook({{"one", good_rows()}}));
  const auto sheet = [](const std::string& rows) { return zip(workbook({{"one", rows}})); };
  const auto part = [](const std::string& name, const std::string& bytes) {
    ZipParts parts = workbook({{"one", good_rows()}});
    for (auto& [other, content] : parts)
      if (other == name) content = bytes;
    return zip(parts);
  };
  const auto changed = [&](const std::string& mark, std::size_t offset, const std::string& bytes) {
    std::string out = good;
    return out.replace(out.rfind(mark) + offset, bytes.size(), bytes);
  };
  const std::string end = "PK\x05\x06", entry = "PK\x01\x02";
  std::string repeats;
  for (int i = 0; i < 9000; ++i) repeats += "<row><c t=\"s\"><v>0</v></c></row>";
  return {
      {"good.xlsx", good, 0},
      {"stored.xlsx", zip(workbook({{"one", good_rows()}}), false), 0},
      {"two_sheets.xlsx", zip(workbook({{"one", good_rows()}, {"two", ""}})), 0},
      {"by_name.xlsx", zip(workbook({{"notes", ""}, {"two", good_rows()}})), 0, "",
       "fit @ --density 0.5 --noise 0.1 --sheet two"},
      {"by_position.xlsx", zip(workbook({{"notes", ""}, {"two", good_rows()}})), 0, "",
       "fit @ --density 0.5 --noise 0.1 --sheet 2"},
      {"no_such_sheet.xlsx", good, 2, "no sheet 'three'", "fit @ --density 0.5 --noise 0.1 --sheet three"},
      {"empty_sheet.xlsx", zip(workbook({{"one", ""}})), 3, "the sheet is empty"},
      {"no_sheets.xlsx", part("xl/workbook.xml", "<workbook/>"), 3, "a workbook without a sheet"},
      {"no_relationships.xlsx", part("xl/_rels/workbook.xml.rels", "<Relationships/>"), 3, "it has no part"},
      {"text_in_numbers.xlsx", sheet(good_rows(replaced(good_table, "1.7", "high"))), 3,
       "line 4, column 2 (a): 'high'"},
      {"error_value.xlsx", sheet(good_rows(replaced(good_table, "1.7", "#DIV/0!"))), 3, "--na '#DIV/0!'"},
      {"short_rows.xlsx", sheet(good_rows(replaced(good_table, ",1\n", "\n"))), 0},
      {"rows_backwards.xlsx", sheet("<row r=\"2\"><c><v>1</v></c></row><row r=\"1\"/>"), 3, "rows are out of order"},
      {"cells_backwards.xlsx", sheet("<row><c r=\"B1\"><v>1</v></c><c r=\"A1\"><v>1</v></c></row>"), 3,
       "cells are out of order"},
      {"no_such_text.xlsx", sheet("<row><c t=\"s\"><v>5</v></c></row>"), 3, "a text that is not there"},
      {"row_beyond.xlsx", sheet("<row r=\"99999999999\"><c><v>1</v></c></row>"), 3, "rows are out of order"},
      {"column_beyond.xlsx", sheet("<row><c r=\"ZZZZZZZZ1\"><v>1</v></c></row>"), 3, "cells are out of order"},
      {"unclosed_element.xlsx", sheet("<row><c><v>1</v></c"), 3, "the sheet is damaged"},
      {"unclosed_comment.xlsx", sheet("<row><!-- "), 3, "a comment without an end"},
      {"unclosed_cdata.xlsx", sheet("<row><c><v><![CDATA[1"), 3, "text without an end"},
      {"document_type.xlsx", part("xl/workbook.xml", "<!DOCTYPE x [<!ENTITY a \"b\">]><workbook/>"), 3,
       "a document type"},
      {"long_text_again_and_again.xlsx",
       zip(workbook({{"one", repeats}}, "<si><t>" + std::string(30000, 'x') + "</t></si>")), 3, "repeat long texts"},
      {"corner_to_corner.xlsx", sheet("<row><c r=\"XFD1\"><v>1</v></c></row><row r=\"1048576\"><c><v>1</v></c></row>"),
       2, "which column is the label?"},
      {"cut_in_half.xlsx", good.substr(0, good.size() / 2), 3, "no directory at its end"},
      {"cut_one_byte.xlsx", good.substr(0, good.size() - 1), 3, "zip archive"},
      {"start_alone.xlsx", "PK\x03\x04", 3, "cut short"},
      {"no_directory.xlsx", changed(end, 16, "\x01\0\0\0"s), 3, "its directory is damaged"},
      {"too_many_entries.xlsx", changed(end, 10, "\xff\xff"), 3, "its directory is damaged"},
      {"several_disks.xlsx", changed(end, 4, "\1"), 3, "spread over several files"},
      {"zip64.xlsx", changed(end, 16, "\xff\xff\xff\xff"), 3, "more than 4 GB"},
      {"long_name.xlsx", changed(entry, 28, "\xff\xff"), 3, "its directory is damaged"},
      {"local_header_elsewhere.xlsx", changed(entry, 42, "\x07\0\0\0"s), 3, "is not where the directory says"},
      {"encrypted.xlsx", changed(entry, 8, "\1"), 3, "protected by a password"},
      {"other_method.xlsx", changed(entry, 10, "\x0e"), 3, "method 14"},
      {"wrong_checksum.xlsx", changed(entry, 16, "abcd"), 3, "wrong length or checksum"},
      {"wrong_length.xlsx", changed(entry, 24, "\1\0\0\0"s), 3, "wrong length or checksum"},
      {"zipped.csv.zip", zip({{"t.csv", good_table}}), 0},
      {"zipped_gzip.zip", zip({{"t.csv.gz", gzip(good_table)}}), 0},
      {"zipped_zip.zip", zip({{"t.zip", zip({{"t.csv", good_table}})}}), 3, "a zip archive in a zip archive"},
      {"several_files.zip", zip({{"a.csv", good_table}, {"b.csv", good_table}}), 3, "a zip archive of several files"},
      {"no_files.zip", zip({{"folder/", ""}}), 3, "a zip archive of several files ()"},
      {"open_document.ods", zip({{"mimetype", "x"}, {"content.xml", "<x/>"}}), 3, "OpenDocument"},
      {"zeros.zip", zip({{"t.csv", std::string(std::size_t{48} << 20, '0')}}), 3, "expand to"},
      {"two_arrays.npz", zip({{"a.npy", "x"}, {"b.npy", "x"}}), 2, "which array?"},
      {"scipy.npz", zip({{"indices.npy", "x"}, {"indptr.npy", "x"}}), 3, "scipy.io.mmwrite"},
      {"not_an_array.npz", zip({{"a.npy", good_table}}), 0},
      {"compressed_workbook.xlsx.gz", gzip(good), 0},
  };
}

}  // namespace cavity::test
