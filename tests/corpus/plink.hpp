// PLINK filesets that are wrong, or odd: the .bed is the file, .bim and .fam lie beside it.
#pragma once

#include "corpus/corpus_file.hpp"
#include "support/temp_files.hpp"

namespace cavity::test {

/// Eight samples, three variants; the first tells cases and controls apart.
struct Fileset {
  std::string bed{"\x6c\x1b\x01\xcc\xce\xb2\x8f\x2b\xe8", 9};
  std::string bim = "1 v1 0 100 A G\n1 v2 0 200 C T\n2 v3 0 50 A C\n";
  std::string fam =
      "f a 0 0 1 2\nf b 0 0 2 1\nf c 0 0 1 2\nf d 0 0 2 1\nf e 0 0 1 2\nf g 0 0 2 1\nf h 0 0 1 2\nf i 0 0 2 1\n";
};

inline CorpusFile fileset(const std::string& name, const Fileset& f, int code, const std::string& part = "",
                          const std::string& run = "") {
  return {name + ".bed", f.bed, code, part, run, {{name + ".bim", f.bim}, {name + ".fam", f.fam}}};
}

inline Corpus plink_corpus() {
  using namespace std::string_literals;
  const Fileset good;
  Corpus out;
  const auto add = [&](const std::string& name, const Fileset& f, int code, const std::string& part = "",
                       const std::string& run = "") { out.push_back(fileset(name, f, code, part, run)); };
  const auto bed = [&](const std::string& name, const std::string& bytes, const std::string& part) {
    add(name, {bytes, good.bim, good.fam}, 3, part);
  };
  const auto bim = [&](const std::string& name, const std::string& text, int code, const std::string& part = "") {
    add(name, {good.bed, text, good.fam}, code, part);
  };
  const auto fam = [&](const std::string& name, const std::string& text, int code, const std::string& part = "") {
    add(name, {good.bed, good.bim, text}, code, part);
  };
  const auto phenotypes = [&](const std::string& cases, const std::string& controls) {
    return replaced(replaced(good.fam, " 1 2\n", " 1 " + cases + "\n"), " 2 1\n", " 2 " + controls + "\n");
  };

  bed("empty", "", "empty.bed: the file is empty");
  bed("two_bytes", "\x6c\x1b", "no calls (less than three bytes)");
  bed("header_alone", good.bed.substr(0, 3), "cut short by 6 bytes");
  bed("cut_by_one", good.bed.substr(0, 8), "cut short by 1 byte: 8 samples");
  bed("cut_by_a_variant", good.bed.substr(0, 7), "it would fit 2 variants of these samples");
  bed("too_long", good.bed + "\x01", "too long by 1 byte");
  bed("another_variant", good.bed + "\x01\x01", "it would fit 4 variants of these samples");
  bed("more_samples", good.bed + "\x01\x01\x01", "it would fit 9 to 12 samples with these variants");
  bed("wrong_magic", "\x6c\x1c" + good.bed.substr(2), "a PLINK 1 .bed with");
  bed("magic_swapped", "\x1b\x6c" + good.bed.substr(2), "a PLINK 1 .bed with");
  bed("sample_major", "\x6c\x1b\0"s + good.bed.substr(3), "a sample-major .bed (its third byte is 0)");
  bed("plink_2", "\x6c\x1b\x02" + good.bed.substr(3), "its third byte is");
  bed("intervals", "chr1\t100\t200\nchr2\t1\t5\n", "starts with 'chr'");
  bed("gzip", gzip(good.bed), "starts with");
  bed("text", "label,a,b\nt,1,2\n", "starts with 'lab'");
  bed("all_unknown", "\x6c\x1b\x01\x55\x55\x55\x55\x55\x55", "no feature is left");
  bed("all_the_same", "\x6c\x1b\x01\xff\xff\xff\xff\xff\xff", "no feature is left");

  fam("fam_empty", "", 3, "fam_empty.fam: no samples (the file is empty)");
  fam("fam_blank", "\n \n\n", 3, "no samples");
  fam("fam_of_four", good.fam.substr(0, 48), 3, "too long by 3 bytes: 4 samples");
  fam("fam_of_nine", good.fam + "f j 0 0 1 2\n", 3, "cut short by 3 bytes: 9 samples");
  fam("fam_of_seven", good.fam.substr(0, 84), 3, "variant 1 has calls beyond the last of the 7 samples");
  fam("fam_of_five", good.fam.substr(0, 60), 3, "beyond the last of the 5 samples in");
  fam("fam_five_columns", replaced(good.fam, "f d 0 0 2 1", "f d 0 0 1"), 3, "line 4: 5 columns where six are needed");
  fam("fam_with_commas", replaced(good.fam, " ", ","), 3, "line 1: 1 column where six are needed");
  fam("fam_nul", replaced(good.fam, "f d", "f\0d"s), 3, "line 4: a NUL byte");
  fam("fam_same_sample_twice", replaced(good.fam, "f d", "f b"), 3,
      "line 4: a second sample with family 'f' and id 'b'");
  fam("fam_header", "FID IID PID MID SEX PHENO\n" + good.fam, 3, "a third phenotype");
  fam("fam_quantitative", phenotypes("2.31", "1.7") + "f j 0 0 1 0.4\n", 3,
      "line 9, column 6: '0.4' is a third phenotype");
  fam("fam_all_minus_9", phenotypes("-9", "-9"), 3, "phenotype");
  fam("fam_all_0", phenotypes("0", "0"), 3, "phenotype");
  fam("fam_all_na", phenotypes("NA", "NA"), 3, "phenotype");
  fam("fam_controls_alone", phenotypes("1", "1"), 3, "1 class");
  fam("fam_cases_and_unknown", phenotypes("2", "-9"), 3, "1 class");
  fam("fam_escape_codes", replaced(good.fam, "f d 0 0 2 1", "\x1b[2J"), 3, R"(\x1b[2J)");
  fam("fam_million_lines", repeated("f a 0 0 1 2\n", 300000), 3, "line 2: a second sample");
  fam("fam_one_long_line", std::string(2000000, 'x') + "\n", 3, "1 column where six are needed");

  bim("bim_empty", "", 3, "bim_empty.bim: no variants (the file is empty)");
  bim("bim_four_columns", replaced(good.bim, "1 v2 0 200 C T", "1 v2 0 200"), 3,
      "line 2: 4 columns where six are needed");
  bim("bim_of_a_map", "1 v1 0 100\n1 v2 0 200\n2 v3 0 50\n", 3, "line 1: 4 columns");
  bim("bim_with_commas", replaced(good.bim, " ", ","), 3, "line 1: 1 column where six are needed");
  bim("bim_of_two", good.bim.substr(0, 30), 3, "too long by 2 bytes");
  bim("bim_of_four", good.bim + "2 v4 0 60 A C\n", 3, "cut short by 2 bytes");
  bim("bim_nul", replaced(good.bim, "v2", "v\0"s), 3, "line 2: a NUL byte");
  bim("bim_gzip", gzip(good.bim), 3, "bim_gzip.bim");
  bim("bim_million_lines", repeated("1 . 0 7 A G\n", 300000), 3, "cut short by");

  out.push_back({"no_bim.bed", good.bed, 5, "no_bim.bim", "", {{"no_bim.fam", good.fam}}});
  out.push_back({"no_fam.bed", good.bed, 5, "no_fam.fam", "", {{"no_fam.bim", good.bim}}});
  add("seven_labels", good, 3, "labels for 8 samples", "fit @ --labels SEVEN");
  add("nothing_complete", {"\x6c\x1b\x01\xcc\xcd\xb2\x8d\x29\xe8", good.bim, good.fam}, 3, "no feature is left",
      "fit @ --max-missing 0");
  add("maf_beyond_half", good, 2, "--maf", "fit @ --maf 0.6");

  add("in_order", good, 0);
  add("labels_of_its_own", {good.bed, good.bim, phenotypes("-9", "-9")}, 0, "",
      "fit @ --density 0.5 --noise 0.1 --labels LABELS");
  fam("fam_crlf", replaced(good.fam, "\n", "\r\n"), 0);
  fam("fam_tabs", replaced(good.fam, " ", "\t"), 0);
  fam("fam_no_last_newline", good.fam.substr(0, good.fam.size() - 1), 0);
  fam("fam_text_phenotypes", phenotypes("case", "control"), 0);
  fam("fam_0_and_1", phenotypes("1", "2"), 0);
  fam("fam_one_unknown", replaced(good.fam, "f d 0 0 2 1", "f d 0 0 2 -9"), 0);
  fam("fam_same_id_in_families", replaced(good.fam, "f d", "g b"), 0);
  bim("bim_names_missing", replaced(replaced(good.bim, "v1", "."), "v2", "."), 0);
  bim("bim_same_name_twice", replaced(good.bim, "v2", "v1"), 0);
  bim("bim_seven_columns", replaced(good.bim, "\n", " x\n"), 0);
  const std::size_t many = 100000;  // at one place: their names must not take a time that goes with the square
  add("bim_many_without_names",
      {good.bed.substr(0, 3) + repeated("\xcc\xce", many), repeated("1 . 0 7 A G\n", many), good.fam}, 0);
  bim("bim_crlf", replaced(good.bim, "\n", "\r\n"), 0);
  return out;
}

}  // namespace cavity::test
