// The three files of 10x Genomics, wrong, or odd: matrix.mtx is the file, features.tsv and barcodes.tsv lie beside it.
#pragma once

#include "corpus/corpus_file.hpp"
#include "support/temp_files.hpp"

namespace cavity::test {

/// Eight cells, named as `good_sheet` names them, and three genes; the first tells the states apart.
struct TenxFiles {
  std::string matrix =
      "%%MatrixMarket matrix coordinate integer general\n%metadata_json: {\"software_version\": \"3\"}\n3 8 12\n"
      "1 1 9\n1 3 8\n1 5 7\n1 7 9\n2 1 1\n2 2 4\n2 6 2\n2 8 1\n3 2 1\n3 4 5\n3 5 1\n3 8 2\n";
  std::string features = "E1\tA\tGene Expression\nE2\tB\tGene Expression\nE3\tC\tGene Expression\n";
  std::string barcodes = "p1\np2\np3\np4\np5\np6\np7\np8\n";
};

inline Corpus tenx_corpus() {
  using namespace std::string_literals;
  const TenxFiles good;
  Corpus out;
  const auto add = [&](const std::string& folder, const TenxFiles& f, int code, const std::string& part = "",
                       const std::string& run = "") {
    out.push_back({folder + "/matrix.mtx",
                   f.matrix,
                   code,
                   part,
                   run,
                   {{folder + "/barcodes.tsv", f.barcodes}, {folder + "/features.tsv", f.features}}});
  };
  const auto matrix = [&](const std::string& name, const std::string& text, int code, const std::string& part = "") {
    add(name, {text, good.features, good.barcodes}, code, part);
  };
  const auto features = [&](const std::string& name, const std::string& text, int code, const std::string& part = "") {
    add(name, {good.matrix, text, good.barcodes}, code, part);
  };
  const auto barcodes = [&](const std::string& name, const std::string& text, int code, const std::string& part = "") {
    add(name, {good.matrix, good.features, text}, code, part);
  };
  add("plain", good, 0);
  add("no_labels", good, 2, "a 10x folder holds no labels", "fit @ --density 0.5 --noise 0.1");
  matrix("empty_matrix", "", 3, "matrix.mtx: the file is empty");
  matrix("cut", good.matrix.substr(0, 120), 3, "matrix.mtx");
  matrix("more_entries", good.matrix + "1 1 2\n", 3, "13 values where its header says 12");
  matrix("other_place", replaced(good.matrix, "3 8 2\n", "4 8 2\n"), 3, "line 15");
  matrix("other_size", replaced(good.matrix, "3 8 12", "5 8 12"), 3, "3 lines for 5 features");
  matrix("turned", replaced(good.matrix, "3 8 12", "8 3 12"), 3, "matrix.mtx");
  matrix("packed", gzip(good.matrix), 0);
  matrix("packed_twice", gzip(gzip(good.matrix)), 3, "compressed twice");
  matrix("half_packed", gzip(good.matrix).substr(0, 60), 3, "matrix.mtx");
  matrix("a_table", "label,a,b\nt,1,2\nn,2,3\n", 3, "");
  features("no_features", "", 3, "features.tsv: the file is empty");
  features("blank_features", "\n\n\n", 3, "0 lines for 3 features");
  features("two_features", "E1\tA\nE2\tB\n", 3, "2 lines for 3 features of");
  features("four_features", good.features + "E4\tD\n", 3, "4 lines for 3 features of");
  features("ids_alone", "E1\nE2\nE3\n", 0);
  features("windows", replaced(good.features, "\n", "\r\n"), 0);
  features("blank_at_the_end", good.features + "\n\r\n\n", 0);
  features("same_symbol", replaced(good.features, "\tB\t", "\tA\t"), 0);
  features("same_lines", "E1\tA\nE1\tA\nE1\tA\n", 0);
  features("nul_in_features", replaced(good.features, "E2", "E\0"s), 3, "a NUL byte");
  features("nameless", "\tA\n\tB\n\t\n", 0);
  features("packed_features", gzip(good.features), 0);
  features("half_packed_features", gzip(good.features).substr(0, 20), 3, "features.tsv");
  features("escape_codes", replaced(good.features, "A", "\x1b[2J"), 0);
  features("millions_of_lines", repeated("\n", 3'000'000) + "E", 3, "3000001 lines for 3 features");
  barcodes("no_barcodes", "", 3, "barcodes.tsv: the file is empty");
  barcodes("seven_barcodes", good.barcodes.substr(3), 3, "7 lines for 8 cells of");
  barcodes("nine_barcodes", good.barcodes + "p9\n", 3, "9 lines for 8 cells of");
  barcodes("other_barcodes", replaced(good.barcodes, "p", "q"), 3, "no id of its column 'id'");
  barcodes("same_barcode", replaced(good.barcodes, "p2", "p1"), 3, "p1");
  barcodes("with_suffix", replaced(good.barcodes, "\n", "-1\n"), 3, "p1-1");
  barcodes("no_last_newline", good.barcodes.substr(0, 23), 0);
  return out;
}

}  // namespace cavity::test
