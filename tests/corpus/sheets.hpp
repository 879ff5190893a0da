// Sample sheets that are wrong, or odd.
#pragma once

#include "corpus/corpus_file.hpp"

namespace cavity::test {

inline const std::string good_sheet =
    "id,state,age\np3,t,50\np1,t,61\np2,n,47\np4,n,39\np8,n,70\np7,t,66\np5,t,58\np6,n,52\n";

inline Corpus sheet_corpus() {
  using namespace std::string_literals;
  const std::string& good = good_sheet;
  return {
      {"empty_sheet.csv", "", 3, "the file is empty"},
      {"header_only.csv", "id,state\n", 3, "a header and a line a sample"},
      {"one_column_sheet.csv", "id\np1\np2\n", 2, "no label column 'state'"},
      {"no_label_column.csv", replaced(good, "state", "states"), 2, "did you mean 'states'"},
      {"duplicate_id.csv", good + "p3,n,44\n", 3, "lines 2 and 10 have the same id, 'p3'"},
      {"missing_id.csv", good + ",n,44\n", 3, "line 10: the sample has no id"},
      {"short_line.csv", good + "p9,n\n", 3, "line 10: 2 fields where the header has 3"},
      {"long_line.csv", good + "p9,n,4,5\n", 3, "line 10: 4 fields where the header has 3"},
      {"decimal_commas.csv", replaced(replaced(good, ",", ";"), "47", "47,5"), 0},
      {"other_ids.csv", replaced(good, "p", "q"), 3, "no id of its column 'id' is a sample of the table"},
      {"all_labels_missing.csv", replaced(replaced(good, ",t,", ",,"), ",n,", ",NA,"), 3, "is empty for every sample"},
      {"one_class_sheet.csv", replaced(good, ",n,", ",t,"), 3, "1 class"},
      {"four_classes_sheet.csv", replaced(replaced(replaced(good, ",t,5", ",5,"), ",n,4", ",4,"), ",t,6", ",6,"), 0},
      {"unclosed_quote_sheet.csv", good + "\"p9,n,4\n", 3, "line 10: unbalanced quotes"},
      {"nul_sheet.csv", good + "p9\0,n,4\n"s, 3, "line 10: a NUL byte"},
      {"spreadsheet_sheet.csv", "PK\x03\x04\x14\0\x06\0"s, 3, "zip archive"},
      {"svmlight_sheet.csv", "1 1:2\n-1 2:3\n", 3, "a sample sheet is a table"},
      {"unknown_covariate.csv", good, 2, "no covariate column 'sex'",
       "fit TABLE --density 0.5 --noise 0.1 --samples @ --label state --covariates sex"},
      {"no_label_asked.csv", good, 2, "columns with two values: 'state' ('n', 't')",
       "fit TABLE --density 0.5 --noise 0.1 --samples @"},
      {"shuffled.csv", good, 0},
      {"extra_and_missing_ids.csv", good + "p9,n,44\nq1,t,50\n", 0},
      {"some_labels_missing.csv", replaced(good, "p6,n", "p6,"), 0},
      {"row_names.csv", replaced(good, "id,", ""), 0},
      {"crlf_and_mark.csv", "\xef\xbb\xbf" + replaced(good, "\n", "\r\n"), 0},
      {"semicolons_sheet.csv", replaced(good, ",", ";"), 0},
      {"blank_lines_sheet.csv", replaced(good, "\n", "\n\n"), 0},
  };
}

}  // namespace cavity::test
