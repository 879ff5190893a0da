// svmlight files that are wrong, or odd.
#pragma once

#include "corpus/corpus_file.hpp"

namespace cavity::test {

inline Corpus svmlight_corpus() {
  using namespace std::string_literals;
  const std::string good =
      "1 1:2.1 2:0.3\n-1 1:-1.9 2:0.1\n1 1:1.7 2:-0.4\n-1 1:-2.2 2:0.5\n1 1:2.4\n-1 1:-1.6 2:-0.3\n";
  return {
      {"one_class.svm", "1 1:2\n1 1:3\n", 3, "1 class"},
      {"three_classes.svm", "1 1:2\n2 1:3\n3 1:4\n", 3, "3 classes"},
      {"regression.svm", "0.5 1:2\n0.7 1:3\n0.9 1:4\n1.2 1:1\n", 3, "4 classes"},
      {"missing_label.svm", "1 1:2\n-1 1:3\nnan 1:4\n", 3, "line 3: the label is missing"},
      {"falling_indices.svm", "1 2:1 1:2\n-1 1:1\n", 3, "indices must increase"},
      {"same_index_twice.svm", "1 2:1 2:2\n-1 1:1\n", 3, "line 1, column 7: '2:2' comes after index 2"},
      {"negative_index.svm", "1 -2:1\n-1 1:1\n", 3, "is not index:value"},
      {"no_value.svm", "1 1:\n-1 1:1\n", 3, "has no number after the colon"},
      {"no_colon.svm", "1 1:1\n-1 7\n", 3, "'7' is not index:value"},
      {"no_index.svm", "1 1:1\n-1 :7\n", 3, "':7' is not index:value"},
      {"text_value.svm", "1 1:1\n-1 1:big\n", 3, "line 2"},
      {"text_index.svm", "1 1:1\n-1 gene:1\n", 3, "is not index:value"},
      {"two_colons.svm", "1 1:1\n-1 1:2:3\n", 3, "has no number after the colon"},
      {"space_after_colon.svm", "1 1:1\n-1 1: 3\n", 3, "line 2"},
      {"fractional_index.svm", "1 1:1\n-1 1.5:3\n", 3, "is not index:value"},
      {"index_2_31.svm", "1 1:1\n-1 2147483648:1\n", 3, "index above 2147483647"},
      {"index_2_64.svm", "1 1:1\n-1 99999999999999999999:1\n", 3, "index above 2147483647"},
      {"index_of_hundred_digits.svm", "1 1:1\n-1 " + std::string(100, '9') + ":1\n", 3, "index above 2147483647"},
      {"too_large.svm", "1 1:1\n-1 2147483647:1\n", 3, "check the largest feature index"},
      {"large_index_one_class.svm", "1 1:1\n1 500000000:1\n", 3, "1 class"},
      {"large_index_then_error.svm", "1 1:1\n-1 500000000:1\n1 1:x\n", 3, "line 3"},
      {"infinity.svm", "1 1:1\n-1 1:inf\n", 3, "infinite or too large"},
      {"1e400.svm", "1 1:1\n-1 1:1e400\n", 3, "'1:1e400' is infinite or too large"},
      {"1e39.svm", "1 1:1\n-1 1:-1e39\n", 3, "too large for a 32-bit float"},
      {"hexadecimal.svm", "1 1:1\n-1 1:0x1p3\n", 3, "has no number after the colon"},
      {"nul.svm", "1 1:1\n-1 1:2\0\n"s, 3, "line 2: a NUL byte"},
      {"comma.svm", "1 1:1,2:3\n-1 1:2\n", 3, "has no number after the colon"},
      {"labels_alone_after.svm", "1 1:1\n-1\n1\n-1\n2\n", 3, "3 classes"},
      {"query_ids_alone.svm", "1 qid:1\n-1 qid:2\n", 3, "no features"},
      {"escape_codes.svm", "1 1:1\n-1 \x1b[2J\n", 3, R"(\x1b[2J)"},
      {"constant.svm", "1 1:1\n-1 1:1\n1 1:1\n-1 1:1\n", 3, "no feature is left"},
      {"million_entries_then_error.svm",
       [] {
         std::string line = "1";
         for (int i = 1; i <= 200000; ++i) line += " " + std::to_string(i) + ":1";
         return line + " 5:1\n";
       }(),
       3, "indices must increase"},
      {"million_lines_then_error.svm", repeated("1 1:1\n", 500000) + "-1 1:x\n", 3, "line 500001"},
      {"crlf.svm", replaced(good, "\n", "\r\n"), 0},
      {"comments.svm", "# made by hand\n" + replaced(good, "\n", " # sample\n"), 0},
      {"zero_based.svm", replaced(replaced(good, " 1:", " 0:"), " 2:", " 1:"), 0},
      {"denormals.svm", replaced(good, "0.1", "1e-310"), 0},
      {"beyond_2_53.svm", replaced(good, "0.1", "9007199254740993"), 0},
      {"not_a_number_is_missing.svm", replaced(good, "0.1", "nan"), 0},
  };
}

}  // namespace cavity::test
