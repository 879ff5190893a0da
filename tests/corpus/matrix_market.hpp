// Matrix Market files for eight labels: wrong, or odd.
#pragma once

#include "corpus/corpus_file.hpp"
#include "support/temp_files.hpp"

namespace cavity::test {

inline Corpus matrix_market_corpus() {
  using namespace std::string_literals;
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  const std::string entries =
      "1 1 2.1\n2 1 -1.9\n3 1 1.7\n4 1 -2.2\n5 1 2.4\n6 1 -1.6\n7 1 1.8\n8 1 -2\n1 2 0.3\n4 2 0.5\n6 2 -0.3\n";
  const std::string good = banner + "8 2 11\n" + entries;
  const auto with = [&](const std::string& line) { return banner + "8 2 12\n" + entries + line + "\n"; };
  const std::string without_labels = "fit @ --density 0.5 --noise 0.1";
  return {
      {"banner_alone.mtx", banner, 3, "the line of sizes is missing"},
      {"banner_and_comments.mtx", banner + "% a\n%\n\n", 3, "the line of sizes is missing"},
      {"vector.mtx", replaced(good, "matrix coordinate", "vector coordinate"), 3,
       "'vector' in the Matrix Market header"},
      {"array.mtx", "%%MatrixMarket matrix array real general\n8 1\n1\n2\n3\n4\n5\n6\n7\n8\n", 3, "'array'"},
      {"complex.mtx", replaced(good, " real ", " complex "), 3, "'complex'"},
      {"symmetric.mtx", replaced(good, " general", " symmetric"), 3, "'symmetric'"},
      {"hermitian.mtx", replaced(good, " general", " hermitian"), 3, "'hermitian'"},
      {"skew.mtx", replaced(good, " general", " skew-symmetric"), 3, "'skew-symmetric'"},
      {"short_banner.mtx", replaced(good, " real general", ""), 3, "'' in the Matrix Market header"},
      {"escape_codes.mtx", replaced(good, " real ", " \x1b[2J "), 3, R"(\x1b[2j)"},
      {"two_sizes.mtx", banner + "8 2\n" + entries, 3, "line 2, column 4: '' is no number of values"},
      {"four_sizes.mtx", banner + "8 2 11 1\n" + entries, 3, "'1' is one word too many"},
      {"no_rows.mtx", banner + "0 2 0\n", 3, "'0' is no number of rows"},
      {"no_columns.mtx", banner + "8 0 0\n", 3, "'0' is no number of columns"},
      {"negative_size.mtx", banner + "8 -2 11\n" + entries, 3, "'-2' is no number of columns"},
      {"fractional_size.mtx", banner + "8 2.5 11\n" + entries, 3, "'2.5' is no number of columns"},
      {"size_2_31.mtx", banner + "8 2147483648 11\n" + entries, 3, "is no number of columns from 1 to 2147483647"},
      {"size_2_64.mtx", banner + "18446744073709551617 2 11\n" + entries, 3, "is no number of rows"},
      {"more_values_than_places.mtx", banner + "8 2 17\n" + entries, 3, "'17' is no number of values from 0 to 16"},
      {"text_size.mtx", banner + "eight two eleven\n" + entries, 3, "'eight' is no number of rows"},
      {"row_0.mtx", with("0 2 1"), 3, "line 14, column 1: '0' is no row from 1 to 8"},
      {"row_9.mtx", with("9 2 1"), 3, "'9' is no row from 1 to 8"},
      {"column_0.mtx", with("2 0 1"), 3, "line 14, column 3: '0' is no column from 1 to 2"},
      {"column_3.mtx", with("2 3 1"), 3, "'3' is no column from 1 to 2"},
      {"fractional_row.mtx", with("2.0 2 1"), 3, "'2.0' is no row"},
      {"negative_row.mtx", with("-2 2 1"), 3, "'-2' is no row"},
      {"one_word.mtx", with("2"), 3, "line 14, column 2: '' is no column"},
      {"no_value.mtx", with("2 2"), 3, "line 14, column 4: '' is no number"},
      {"two_values.mtx", with("2 2 1 0"), 3, "line 14, column 7: '0' is one word too many"},
      {"text_value.mtx", with("2 2 high"), 3, "'high' is no number"},
      {"hexadecimal.mtx", with("2 2 0x10"), 3, "'0x10' is no number"},
      {"decimal_comma.mtx", with("2 2 0,5"), 3, "'0,5' is no number"},
      {"infinity.mtx", with("2 2 inf"), 3, "'inf' is infinite or too large"},
      {"1e400.mtx", with("2 2 1e400"), 3, "'1e400' is infinite or too large"},
      {"1e39.mtx", with("2 2 -1e39"), 3, "too large for a 32-bit float"},
      {"comma_separated.mtx", with("2,2,1"), 3, "'2,2,1' is no row"},
      {"comment_after_value.mtx", with("2 2 1 % mine"), 3, "'%' is one word too many"},
      {"given_twice.mtx", with("4 2 1"), 3, "row 4, column 2 is given twice"},
      {"cut_short.mtx", banner + "8 2 12\n" + entries, 3, "11 values where its header says 12; the file is cut short"},
      {"cut_inside_a_line.mtx", good.substr(0, good.size() - 6), 3, "is no number"},
      {"too_many.mtx", banner + "8 2 10\n" + entries, 3, "11 values where its header says 10; the file is damaged"},
      {"pattern_with_values.mtx", replaced(good, " real ", " pattern "), 3, "'2.1' is one word too many"},
      {"nul.mtx", with("2 2 \0"s), 3, "line 14: a NUL byte"},
      {"gzip_cut.mtx", gzip(good).substr(0, 60), 3, "truncated"},
      {"zstd_cut.mtx", zstd(good).substr(0, 60), 3, "zstd"},
      {"nothing_but_zeros.mtx", banner + "8 2 0\n", 3, "no feature is left"},
      {"dense_beyond_memory.mtx", banner + "8 2147483647 0\n", 3, ""},
      {"other_samples.mtx", banner + "6 2 1\n1 1 1\n", 3, "8 labels for 6 samples"},
      {"no_labels.mtx", good, 2, "--labels", without_labels},
      {"label_by_name.mtx", good, 2, "no named columns", without_labels + " --label x1"},
      {"covariates_by_name.mtx", good, 2, "no named columns", without_labels + " --labels LABELS --covariates x1"},
      {"million_lines_then_error.mtx", banner + "8 2 16\n" + repeated("1 1 1\n", 1000000) + "9 1 1\n", 3,
       "line 1000003"},
      {"one_long_line.mtx", with(std::string(2000000, '7')), 3, "is no row"},
      {"thousand_comments.mtx", banner + repeated("% note\n", 100000) + "8 2 1\n9 1 1\n", 3, "line 100003"},
      {"crlf.mtx", replaced(good, "\n", "\r\n"), 0},
      {"tabs.mtx", replaced(entries, " ", "\t").insert(0, banner + "8 2 11\n"), 0},
      {"upper_case.mtx", replaced(good, " matrix coordinate real", " MATRIX Coordinate REAL"), 0},
      {"integer.mtx", replaced(good, " real ", " integer "), 0},
      {"blank_lines_and_comments.mtx", replaced(good, "\n5 1", "\n\n% half\n5 1"), 0},
      {"no_last_newline.mtx", good.substr(0, good.size() - 1), 0},
      {"missing_value.mtx", with("2 2 nan"), 0},
      {"denormal.mtx", with("2 2 1e-310"), 0},
      {"explicit_zero.mtx", with("2 2 0"), 0},
      {"samples_in_columns.mtx", banner + "2 8 4\n1 1 2\n1 3 2\n1 5 2\n2 2 1\n", 0},
      {"gzip.mtx", gzip(good), 0},
      {"zstd.mtx", zstd(good), 0},
  };
}

}  // namespace cavity::test
