// GEO series matrices, and text with lines before the table, that are wrong, or odd.
#pragma once

#include "corpus/corpus_file.hpp"

namespace cavity::test {

inline Corpus series_corpus() {
  using namespace std::string_literals;
  const std::string titles = "!Series_title\t\"A study\"\n!Sample_title\t\"a\"\t\"b\"\t\"c\"\t\"d\"\n",
                    ids = "!Sample_geo_accession\t\"GSM1\"\t\"GSM2\"\t\"GSM3\"\t\"GSM4\"\n",
                    states = "!Sample_characteristics_ch1\t\"state: t\"\t\"state: n\"\t\"state: t\"\t\"state: n\"\n",
                    begin = "!series_matrix_table_begin\n", end = "!series_matrix_table_end\n",
                    table =
                        "\"ID_REF\"\t\"GSM1\"\t\"GSM2\"\t\"GSM3\"\t\"GSM4\"\n\"p1\"\t2.1\t-1.9\t1.7\t-2.2\n"
                        "\"p2\"\t0.3\t0.1\t-0.4\t0.5\n\"p3\"\t1\t2\t3\t1\n",
                    head = titles + ids + states, good = head + begin + table + end;
  const auto other = [&](const std::string& from, const std::string& to) { return replaced(good, from, to); };
  const std::string unasked = "fit @ --density 0.5 --noise 0.1";
  return {
      {"good.txt", good, 0},
      {"crlf.txt", replaced(good, "\n", "\r\n"), 0},
      {"no_end.txt", head + begin + table, 0},
      {"blank_lines.txt", replaced(good, begin, "\n\n" + begin + "\n"), 0},
      {"text_after_the_end.txt", good + "anything\n", 0},
      {"more_characteristics.txt", head + replaced(states, "state: ", "age: ") + begin + table + end, 0},
      {"no_key.txt", head + "!Sample_characteristics_ch1\t\"x\"\t\"\"\t\"y\"\t\"y\"\n" + begin + table + end, 0},
      {"keys_that_differ.txt",
       head + "!Sample_characteristics_ch1\t\"a: 1\"\t\"b: 1\"\t\"c: 2\"\t\"d: 2\"\n" + begin + table + end, 0},
      {"lines_again.txt", titles + titles + ids + states + begin + table + end, 0},
      {"missing_state.txt", other("\"state: n\"\n", "\"\"\n"), 0},
      {"without_a_label.txt", good, 2, "which column is the label?", unasked},
      {"other_label.txt", good, 2, "no label column 'disease'", unasked + " --label disease"},
      {"no_ids.txt", titles + states + begin + table + end, 3, "no id of its column 'title'"},
      {"other_ids.txt", replaced(head, "GSM", "gsm") + begin + table + end, 3,
       "4 ids would match but for upper and lower case"},
      {"same_id_twice.txt", replaced(head, "GSM2", "GSM1") + begin + table + end, 3, "have the same id, 'GSM1'"},
      {"an_id_missing.txt", replaced(head, "\"GSM2\"", "\"\"") + begin + table + end, 3, "has no id"},
      {"other_lengths.txt", other("\t\"state: n\"\n", "\n"), 3,
       "3 values of 'characteristics_ch1' where the lines before have 4"},
      {"open_quote.txt", other("\"state: n\"\n", "\"state: n\n"), 3, "unbalanced quotes"},
      {"one_state.txt", other("state: n", "state: t"), 3, "1 class"},
      {"text_value.txt", other("0.5\n", "high\n"), 3, "'high' is not a number"},
      {"same_probe_twice.txt", other("\"p2\"", "\"p1\""), 3, "--duplicates mean"},
      {"joined_probes.txt", other("\"p2\"", "\"p1\""), 0, "", unasked + " --label state --duplicates mean"},
      {"short_row.txt", other("0.5\n", "\n"), 0},
      {"cut_row.txt", other("\t0.5\n", "\n"), 3, "4 fields, expected 5"},
      {"nothing_said.txt", "!Sample_characteristics_ch1\t\"\"\t\"\"\n" + begin + end, 3, "name no samples"},
      {"no_table.txt", head + begin + end, 3, "empty but for lines"},
      {"header_alone.txt", head + begin + "\"ID_REF\"\t\"GSM1\"\n" + end, 3, "no samples below it"},
      {"nul.txt", other("A study", "A\0study"s), 3, "a NUL byte"},
      {"null_values.txt", other("0.5\n", "null\n"), 0},
      {"biom.txt",
       "# Constructed from biom file\n#OTU ID\tlabel\ta\tb\ns1\tt\t1\t2\ns2\tn\t-1\t2\ns3\tt\t2\t1\ns4\tn\t-2\t1\n", 0,
       "", unasked},
      {"marks_alone.txt", "#\n#\n!\n", 3, "empty but for lines", unasked},
      {"mark_before_header.txt", "#id\tlabel\ta\ns1\tt\t1\ns2\tn\t2\ns3\tt\t1\ns4\tn\t3\n", 0, "", unasked},
  };
}

}  // namespace cavity::test
