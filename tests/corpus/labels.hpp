// Files of labels for a .npy of eight samples: wrong, or odd.
#pragma once

#include "corpus/corpus_file.hpp"
#include "support/temp_files.hpp"

namespace cavity::test {

inline Corpus labels_corpus() {
  using namespace std::string_literals;
  const std::string good = "t\nn\nt\nn\nt\nn\nt\nn\n", seven = "t\nn\nt\nn\nt\nn\nt\n";
  return {
      {"empty.txt", "", 3, "the file is empty"},
      {"blank.txt", "\n\n\n", 3, "0 labels for 8 samples"},
      {"byte_order_mark_alone.txt", "\xef\xbb\xbf", 3, "0 labels for 8 samples"},
      {"too_few.txt", "t\nn\n", 3, "2 labels for 8 samples"},
      {"two_too_many.txt", good + "t\nn\n", 3, "10 labels for 8 samples"},
      {"all_on_one_line.txt", "t,n,t,n,t,n,t,n\n", 3, "1 labels for 8 samples"},
      {"one_class.txt", repeated("t\n", 8), 3, "1 class"},
      {"five_classes.txt", "t\nn\nt\nn\nt\nu\nv\nw\n", 3, "5 classes for 8 samples"},
      {"ids.txt", "1\n2\n3\n4\n5\n6\n7\n8\n", 3, "8 classes"},
      {"blank_line_inside.txt", "t\nn\nt\n\nt\nn\nt\nn\n", 3, "line 4: the label is missing"},
      {"na.txt", seven + "NA\n", 3, "line 8: the label is missing ('NA')"},
      {"nan.txt", seven + "nan\n", 3, "line 8: the label is missing"},
      {"header_then_missing.txt", "label\n" + seven + "?\n", 3, "line 9: the label is missing"},
      {"nul.txt", seven + "n\0\n"s, 3, "line 8: a NUL byte"},
      {"unclosed_quote.txt", seven + "\"n\n", 3, "unbalanced quotes"},
      {"text_after_quote.txt", seven + "\"n\"x\n", 3, "line 8: unbalanced quotes"},
      {"utf16.txt", "\xff\xfet\0\n"s, 3, "UTF-16"},
      {"old_mac.txt", replaced(good, "\n", "\r"), 3, "1 labels for 8 samples"},
      {"zip.txt", "PK\x03\x04", 3, "zip archive"},
      {"gzip_cut.txt", gzip(good).substr(0, 15), 3, "truncated"},
      {"zstd_cut.txt", zstd(good).substr(0, 9), 3, "truncated"},
      {"million_lines.txt", repeated("t\n", 1000000), 3, "1000000 labels for 8 samples"},
      {"ten_million_lines.txt", repeated("t\n", 10000000), 3, "10000000 labels for 8 samples"},
      {"one_long_line.txt", std::string(2000000, 'x') + "\n", 3, "1 labels for 8 samples"},
      {"million_classes_of_eight.txt", "a\nb\nc\nd\ne\nf\ng\n" + std::string(1000000, 'h') + "\n", 3, "8 classes"},
      {"not_the_positive_class.txt", good, 2, "positive class 'x' is not among", "fit DATA --labels @ --positive x"},
      {"crlf.txt", replaced(good, "\n", "\r\n"), 0},
      {"byte_order_mark.txt", "\xef\xbb\xbf" + good, 0},
      {"header.txt", "label\n" + good, 0},
      {"windows_1252.txt", replaced(good, "n", "n\xe9gatif"), 0},
      {"numbers.txt", replaced(replaced(good, "t", "1.0"), "n", "-1"), 0},
      {"beyond_2_53.txt", replaced(replaced(good, "t", "9007199254740993"), "n", "9007199254740995"), 0},
      {"gzip.txt", gzip(good), 0},
      {"no_last_newline.txt", good.substr(0, good.size() - 1), 0},
  };
}

}  // namespace cavity::test
