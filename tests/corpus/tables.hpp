// CSV and TSV files that are wrong, or odd.
#pragma once

#include "corpus/corpus_file.hpp"

namespace cavity::test {

/// Twelve samples, every label another number.
inline std::string repeated_quantity() {
  std::string out;
  for (int i = 0; i < 12; ++i) out += std::to_string(i) + ".5,1," + std::to_string(i) + "\n";
  return out;
}

inline Corpus table_corpus() {
  using namespace std::string_literals;
  const std::string& good = good_table;
  const std::string quoted = "\""s + replaced(replaced(good, "\n", "\"\n\""), ",", "\",\"") + "\"";
  const std::string head = "label,a,b\n";
  const auto numbered = [](int columns) {
    std::string out;
    for (int i = 1; i <= columns; ++i) out += ",x" + std::to_string(i);
    return out;
  };
  const auto rows = [&](const std::string& third) { return head + "t,1,2\nn,3,4\n" + third; };
  std::string turned = "gene\tp1\tp2\tp3\n";
  for (int i = 1; i <= 8; ++i) turned += "g" + std::to_string(i) + "\t0.5\t" + std::to_string(i) + "\t2\n";
  return {
      {"empty.csv", "", 3, "the file is empty"},
      {"one_space.csv", " ", 2, "which column is the label?"},
      {"one_newline.csv", "\n", 3, "the file is empty"},
      {"blank_lines.csv", "\n\r\n\n", 3, "the file is empty"},
      {"byte_order_mark_alone.csv", "\xef\xbb\xbf", 3, "the file is empty"},
      {"header_alone.csv", head, 3, "no samples below it"},
      {"header_alone_no_newline.csv", "label,a,b", 3, "no samples below it"},
      {"one_column.csv", "label\nt\nn\n", 3, "no features"},
      {"one_sample.csv", head + "t,1,2\n", 3, "1 class"},
      {"one_class.csv", head + "t,1,2\nt,3,4\n", 3, "two or more are needed"},
      {"three_classes.csv", rows("u,5,6\n"), 3, "3 classes"},
      {"label_is_a_quantity.csv", head + repeated_quantity(), 3, "they look like a measured quantity"},
      {"label_is_an_id.csv", head + "s1,1,2\ns2,3,4\ns3,5,6\ns4,1,1\n", 3, "4 classes"},
      {"text_is_an_id.csv", "who,a,b\ns1,1,2\ns2,3,4\ns3,5,6\n", 2, "which column is the label?"},
      {"no_label.csv", "a,b\n1,2\n3,4\n", 2, "which column is the label?"},
      {"missing_label.csv", good + "NA,5,6,1\n", 0},
      {"empty_labels.csv", head + ",5,6\nNA,1,2\n", 3, "line 2: the label is missing"},
      {"short_row.csv", rows("t,5\n"), 3, "line 4"},
      {"long_row.csv", rows("t,5,6,7\n"), 3, "line 4"},
      {"row_of_one_field.csv", rows("t\n"), 3, "line 4"},
      {"text_value.csv", rows("t,5,high\n"), 3, "line 4, column 3 (b): 'high' is not a number"},
      {"two_numbers.csv", rows("t,5,6 7\n"), 3, "'6 7' is not a number"},
      {"two_points.csv", rows("t,5,1.2.3\n"), 3, "'1.2.3' is not a number"},
      {"hexadecimal.csv", rows("t,5,0x1F\n"), 3, "'0x1F' is not a number"},
      {"exponent_without_digits.csv", rows("t,5,1e\n"), 3, "'1e' is not a number"},
      {"sign_alone.csv", rows("t,5,-\n"), 3, "'-' is not a number"},
      {"two_signs.csv", rows("t,5,--1\n"), 3, "'--1' is not a number"},
      {"date.csv", rows("t,5,2020-01-01\n"), 3, "'2020-01-01' is not a number"},
      {"per_cent.csv", rows("t,5,7%\n"), 3, "'7%' is not a number"},
      {"formula.csv", rows("t,5,=A1+1\n"), 3, "'=A1+1' is not a number"},
      {"decimal_comma.csv", replaced(replaced(good, ",", ";"), ".", ","), 0},
      {"decimal_comma_and_points.csv", "label;a;b\nt;1.5;2\nn;3;4,5\n", 3, "write decimals with a point"},
      {"thousands.csv", "label;a;b\nt;1,234.5;2\nn;3;4\n", 3, "thousands are set apart"},
      {"comma_or_thousands.csv", "label;a;b\nt;1,234;2\nn;3;4\n", 3, "say --decimal comma"},
      {"dots.csv", rows("t,5,.\n"), 3, "--na '.'"},
      {"division.csv", rows("t,5,#DIV/0!\n"), 3, "--na '#DIV/0!'"},
      {"comments_alone.csv", "# one\n! two\n", 3, "empty but for lines"},
      {"comments_before.csv", "# one\n\n! two\n" + good, 0},
      {"series_without_samples.txt",
       "!Series_title\t\"x\"\n!Sample_title\n!Sample_geo_accession\n!series_matrix_table_begin\n\"ID_REF\"\t\"a\"\n", 3,
       ""},
      {"series_of_other_lengths.txt", "!Sample_title\t\"x\"\t\"y\"\n!Sample_geo_accession\t\"x\"\n", 3,
       "1 value of 'geo_accession'"},
      {"series_quotes.txt", "!Sample_title\t\"x\n", 3, "unbalanced quotes"},
      {"infinity.csv", rows("t,5,inf\n"), 3, "infinite or too large"},
      {"minus_infinity.csv", rows("t,5,-Infinity\n"), 3, "infinite or too large"},
      {"1e400.csv", rows("t,5,1e400\n"), 3, "'1e400' is infinite or too large"},
      {"1e39.csv", rows("t,5,1e39\n"), 3, "too large for a 32-bit float"},
      {"huge_exponent.csv", rows("t,5,1e99999999999999999999\n"), 3, "infinite or too large"},
      {"four_hundred_digits.csv", rows("t,5," + std::string(400, '9') + "\n"), 3, "infinite or too large"},
      {"unclosed_quote.csv", rows("t,5,\"6\n"), 3, "line 4, column 3 (b): a quote is opened and never closed"},
      {"unclosed_quote_in_header.csv", "label,\"a,b\nt,1,2\nn,3,4\n", 3, ""},
      {"text_after_quote.csv", rows("t,5,\"6\"7\n"), 3, "text after the closing quote"},
      {"nul_in_value.csv", rows("t,5,6\0\n"s), 3, "line 4: a NUL byte"},
      {"nul_in_header.csv", "label,a\0,b\nt,1,2\nn,3,4\n"s, 3, "line 1: a NUL byte"},
      {"nul_at_end.csv", rows("t,5,6\n\0"s), 3, "line 5: a NUL byte"},
      {"only_nuls.csv", std::string(1000, '\0'), 3, "a NUL byte"},
      {"same_name_twice.csv", "label,a,a\nt,1,2\nn,3,4\n", 3, "columns 2 and 3 have the same name, 'a'"},
      {"two_labels.csv", "label,a,label\nt,1,t\nn,3,n\n", 3, ""},
      {"old_mac.csv", "label,a,b\rt,1,2\rn,3,4\r", 3, "carriage return alone"},
      {"utf16_little.csv", "\xff\xfel\0a"s, 3, "UTF-16"},
      {"utf16_big.csv", "\xfe\xff\0l\0a\xdc\0"s, 3, "UTF-16"},
      {"constant.csv", head + "t,1,2\nn,1,2\nt,1,2\nn,1,2\n", 3, "no feature is left"},
      {"all_missing.csv", head + "t,NA,\nn,,NA\nt,NaN,?\nn,,\n", 3, "no feature is left"},
      {"escape_codes.csv", rows("t,5,\x1b[31mred\n"), 3, R"(\x1b[31mred)"},
      {"json.csv", "{\"label\": [1, 2]}\n", 3, ""},
      {"html.csv", "<html><body>404 Not Found</body></html>\n", 3, "a web page"},
      {"spreadsheet.csv", "PK\x03\x04\x14\0\x06\0"s, 3, "zip archive: it is cut short"},
      {"matrix_market.csv", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", 2, "Matrix Market"},
      {"parquet.csv", "PAR1\x15\x04", 3, "Parquet"},
      {"hdf5.csv", "\x89HDF\r\n\x1a\n", 3, "HDF5"},
      {"bzip2.csv", "BZh91AY&SY", 3, "bzip2"},
      {"xz.csv", "\xfd\x37zXZ\0\0\4"s, 3, "xz file"},
      {"random_bytes.csv", "\x8a\xc3\x11\x02\xee\x91\x7f\x00\x42\x99\xfe"s, 3, ""},
      {"million_columns.csv", "label" + repeated(",0", 1000000) + "\n", 3, "no samples below it"},
      {"million_columns_one_row.csv", "t"s + repeated(",0", 1000000) + "\n", 3, "1 class"},
      {"million_columns_one_name.csv", "label" + repeated(",0", 1000000) + "\nt,1\nn,2\n", 3, "columns 2 and 3"},
      {"million_columns_short_row.csv", "label" + numbered(1000000) + "\nt,1\nn,2\n", 3, "line 2"},
      {"million_numbers.csv", "1"s + repeated(",0", 1000000) + "\n", 2, "which column is the label?"},
      {"million_delimiters.csv", std::string(1000000, ',') + "\n", 2, "which column is the label?"},
      {"million_quotes.csv", std::string(1000000, '"') + "\n", 3, ""},
      {"million_lines.csv", "label,a,b\n" + repeated("t\n", 1000000), 3, "line 2"},
      {"wide_header_many_short_rows.csv", "label" + repeated(",a", 100000) + "\n" + repeated("t\n", 100000), 3, ""},
      {"one_long_field.csv", rows("t,5," + std::string(2000000, 'x') + "\n"), 3, "is not a number"},
      {"one_long_line.csv", std::string(4000000, 'x'), 3, ""},
      {"features_in_rows.tsv", turned, 2, "8 features in rows, 3 samples in columns"},
      {"features_in_rows_label_row.tsv", "gene\ta\tb\tc\tlabel\nkind\tt\tn\tt\tn\n", 3, ""},
      {"features_in_rows_text.tsv", replaced(turned, "g3\t0.5", "g3\tlow") + "label\tt\tn\tt\n", 3,
       "line 4, column 2 (p1): 'low' is not a number"},
      {"features_in_rows_same_name.tsv", replaced(turned, "g3\t", "g2\t") + "label\tt\tn\tt\n", 3,
       "lines 3 and 4 have the same name"},
      {"row_names_then_short.csv", "label,a,b\ns1,t,1,2\ns2,n,3\n", 3, "line 2"},
      {"byte_order_mark.csv", "\xef\xbb\xbf" + good, 0},
      {"crlf.csv", replaced(good, "\n", "\r\n"), 0},
      {"tabs.tsv", replaced(good, ",", "\t"), 0},
      {"tabs_crlf.tsv", replaced(replaced(good, ",", "\t"), "\n", "\r\n"), 0},
      {"tabs_short_row.tsv", "label\ta\tb\nt\t1\t2\nn\t3\n", 3, "line 3"},
      {"tabs_text.tsv", "label\ta\tb\nt\t1\t2\nn\t3\tx y\n", 3, "'x y' is not a number"},
      {"semicolons.csv", replaced(good, ",", ";"), 0},
      {"no_last_newline.csv", good.substr(0, good.size() - 1), 0},
      {"spaces.csv", replaced(good, ",", " , "), 0},
      {"quoted.csv", quoted, 3, ""},
      {"windows_1252_names.csv", replaced(good, ",a,b", ",Gr\xf6\xdf\x65,b"), 0},
      {"windows_1252_value.csv", rows("t,5,\xe9\n"), 3, R"('\xe9' is not a number)"},
      {"beyond_2_53.csv", replaced(good, ",1\n", ",9007199254740993\n"), 0},
      {"denormals.csv", replaced(good, ",1\n", ",1e-310\n"), 0},
      {"float_denormals.csv", replaced(good, ",1\n", ",1e-44\n"), 0},
      {"underflow.csv", replaced(good, ",1\n", ",1e-400\n"), 0},
      {"largest_floats.csv", replaced(good, ",1\n", ",3.4e38\n"), 0},
      {"minus_zero.csv", replaced(good, ",1\n", ",-0\n"), 0},
      {"many_digits.csv", replaced(good, ",1\n", ",1." + std::string(3000, '3') + "\n"), 0},
  };
}

}  // namespace cavity::test
