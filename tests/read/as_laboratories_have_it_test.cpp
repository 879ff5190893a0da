// Text as programs write it: each form gives the numbers of the plain CSV of the same values, to the last bit.
#include <gtest/gtest.h>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/one_table.hpp"

namespace cavity {
namespace {

using test::expect_error;
using test::noted;

class AsLaboratoriesHaveIt : public testing::Test {
 protected:
  Dataset read(const std::string& text, const ReadOptions& options = {}) {
    return read_dataset(dir_.write("t.txt", text), options);
  }
  std::string sheet() { return dir_.write("sheet.tsv", table.sheet()); }
  const test::OneTable table;
  test::TempDir dir_;
};

std::string utf16(const std::string& text, bool little) {
  std::string out = little ? "\xff\xfe" : "\xfe\xff";
  for (const char c : text) {
    out += little ? c : '\0';
    out += little ? '\0' : c;
  }
  return out;
}

TEST_F(AsLaboratoriesHaveIt, LinesBeforeTheTable) {
  const Dataset d = read("# made by a program\n! on a day\n\n" + table.csv());
  table.expect_same(d);
  EXPECT_TRUE(noted(d, "3 lines before the table"));
  const std::string marked = "# Constructed from biom file\n#OTU ID" + table.turned("");
  table.expect_same(read(marked, {.sample_sheet = sheet()}));
}

TEST_F(AsLaboratoriesHaveIt, LinesAreCountedFromTheFirst) {
  expect_error<InputError>([&] { read("# one\n# two\nlabel,a\nt,1\nn,x\n"); }, {"line 5", "'x' is not a number"});
  expect_error<InputError>([&] { read("# one\n! two\n"); }, {"empty but for lines"});
}

TEST_F(AsLaboratoriesHaveIt, FeatureCounts) {
  const Dataset d =
      read("# Program:featureCounts v2.0.1; Command:\"featureCounts\" \"-a\" \"x.gtf\"\n" +
               table.turned("Geneid", "\tChr\tStart\tEnd\tStrand\tLength", "\tchr1;chr1\t1;9\t5;12\t+;+\t8"),
           {.sample_sheet = sheet()});
  table.expect_same(d);
  const Dataset alone = read(
      table.turned("Geneid", "\tChr\tLength", "\t1\t8") + "__no_feature\t\t" +
      [&] {
        std::string zeros;
        for (std::size_t i = 0; i < table.samples; ++i) zeros += "\t0";
        return zeros;
      }() +
      "\nlabel\t\t" +
      [&] {
        std::string labels;
        for (const auto& name : table.classes) labels += "\t" + name;
        return labels;
      }() +
      "\n");
  table.expect_same(alone);
  EXPECT_TRUE(noted(alone, "annotation of features: 'Chr', 'Length'"));
  EXPECT_TRUE(noted(alone, "'__no_feature'"));
}

TEST_F(AsLaboratoriesHaveIt, RestsOfCountsOfHtseqAndStar) {
  std::string ones, text = table.turned("");
  for (std::size_t i = 0; i < table.samples; ++i) ones += "\t" + std::to_string(1 + i);
  for (const char* rest : {"__no_feature", "__ambiguous", "__too_low_aQual", "__not_aligned", "__alignment_not_unique"})
    text += rest + ones + "\n";
  const Dataset below = read(text, {.sample_sheet = sheet()});
  table.expect_same(below);
  EXPECT_TRUE(noted(below, "'__no_feature'"));
  text = table.turned("gene");
  std::string above;
  for (const char* rest : {"N_unmapped", "N_multimapping", "N_noFeature", "N_ambiguous"}) above += rest + ones + "\n";
  text.insert(text.find('\n') + 1, above);
  const Dataset star = read(text, {.sample_sheet = sheet()});
  table.expect_same(star);
  EXPECT_TRUE(noted(star, "'N_unmapped'"));
}

TEST_F(AsLaboratoriesHaveIt, NamesThatComeTwiceAndSayTheSame) {
  const std::string text = table.turned("gene");
  const std::string again = text + text.substr(text.find('\n') + 1);
  const std::string samples = sheet();
  expect_error<InputError>([&] { read(again, {.sample_sheet = samples}); }, {"30 names in all", "`duplicates=mean`"});
  for (const Duplicates how : {Duplicates::mean, Duplicates::first})
    table.expect_same(read(again, {.sample_sheet = samples, .duplicates = how}));
}

TEST_F(AsLaboratoriesHaveIt, SeriesMatrix) {
  std::string head = "!Series_title\t\"A study\"\n!Series_summary\t\"of two; classes, 1,5\"\n\n!Sample_title";
  for (const auto& id : table.ids) head += "\t\"sample " + id + "\"";
  head += "\n!Sample_geo_accession";
  for (const auto& id : table.ids) head += "\t\"" + id + "\"";
  head += "\n!Sample_characteristics_ch1";
  for (std::size_t i = 0; i < table.samples; ++i) head += "\t\"age: " + std::to_string(40 + i) + "\"";
  head += "\n!Sample_characteristics_ch1";
  for (const auto& name : table.classes) head += "\t\"disease state: " + name + "\"";
  head += "\n!series_matrix_table_begin\n";
  const std::string text = head + table.turned("\"ID_REF\"", "", "", [](const std::string& id) {
    return '"' + id + '"';
  }) + "!series_matrix_table_end\n";
  const Dataset d = read(text, {.label = "disease state", .covariates = {"age"}});
  table.expect_same(d);
  table.expect_same(read("!Sample_description\n" + text, {.label = "disease state"}));  // a line without values
  std::string moved = text;  // the mark is in the second field
  moved.insert(moved.find("!series_matrix_table_begin"), "\t!Sample_note\n");
  expect_error<InputError>([&] { read(moved, {.label = "disease state"}); }, {"'!Sample_note'"});
  EXPECT_EQ(d.covariates.at(0).values.front(), "40");
  table.expect_same(read_dataset(dir_.write("s.gz", test::gzip(text)), {.label = "disease state"}));
  expect_error<UsageError>([&] { read(text); }, {"which column is the label?", "'disease state' ('healthy', 'ill')"});
  expect_error<UsageError>([&] { read(text, {.label = "disease"}); }, {"no label column 'disease'"});
  table.expect_same(read(text, {.sample_sheet = sheet()}));
}

TEST_F(AsLaboratoriesHaveIt, DecimalCommas) {
  for (const char delimiter : {';', '\t'}) {
    const Dataset d = read(table.csv(delimiter, test::OneTable::with_comma));
    table.expect_same(d);
    EXPECT_TRUE(noted(d, "decimal commas"));
  }
  const auto quoted = [](const std::string& text) { return '"' + test::OneTable::with_comma(text) + '"'; };
  table.expect_same(read(table.csv(',', quoted)));
}

TEST_F(AsLaboratoriesHaveIt, CommasThatCouldBeThousandsAreAsked) {
  const std::string text = "label;a;b\nt;1,234;3\nn;2,345;4\n";
  expect_error<InputError>([&] { read(text); }, {"line 2, column 2 (a)", "`decimal=comma`"});
  EXPECT_EQ(read(text, {.decimal = Decimal::comma}).features.dense().values,
            (std::vector<float>{1.234F, 3, 2.345F, 4}));
  for (const char* number : {"1,234,567", "1.234,5", "1,234.5", "12 345", "1'234'567.5"})
    expect_error<InputError>([&] { read("label;a;b\nt;" + std::string(number) + ";0.5\nn;2;4\n"); },
                             {"thousands are set apart"});
  expect_error<InputError>([&] { read("label;a;b\nt;1,5;0.5\nn;2;4\n"); }, {"'1,5'", "some numbers here have a point"});
}

TEST_F(AsLaboratoriesHaveIt, SheetsHaveDecimalCommasToo) {
  const std::string lines = "id;diagnosis;age\n";
  std::string sheet = lines;
  for (std::size_t i = 0; i < table.samples; ++i)
    sheet += table.ids[i] + ";" + table.classes[i] + ";4" + std::to_string(i % 10) + ",5\n";
  const Dataset d =
      read(table.csv(), {.label = "diagnosis", .covariates = {"age"}, .sample_sheet = dir_.write("s.csv", sheet)});
  EXPECT_EQ(d.covariates.at(0).values.front(), "40.5");
}

TEST_F(AsLaboratoriesHaveIt, Utf16) {
  for (const bool little : {true, false}) table.expect_same(read(utf16(table.csv(), little)));
  table.expect_same(read_dataset(dir_.write("t.gz", test::gzip(utf16(table.csv('\t'), true)))));
  const Dataset d = read(std::string(
      "\xff\xfel\0a\0b\0e\0l\0,\0\xb1\x03,\0\x3d\xd8\x00\xde\n\0t\0,\0\x31\0,\0\x32\0\n\0n\0,\0\x33\0,\0\x34\0\n\0",
      48));
  EXPECT_EQ(d.feature_names, (std::vector<std::string>{"\xce\xb1", "\xf0\x9f\x98\x80"}));
  expect_error<InputError>([&] { read(std::string("\xff\xfel\0\n\0a", 7)); }, {"line 2", "UTF-16"});
  expect_error<InputError>([&] { read(std::string("\xff\xfel\0\x00\xdc", 6)); }, {"half a pair"});
}

TEST_F(AsLaboratoriesHaveIt, WordsForMissingValues) {
  for (const char* word : {".", "-", "None", "n.d.", "#DIV/0!"}) {
    const std::string text = "label,a,b\nt," + std::string(word) + ",0.5\nn,2,4\n";
    expect_error<InputError>([&] { read(text); }, {"line 2, column 2 (a)", "`na='" + std::string(word) + "'`"});
    const Dataset d = read(text, {.missing_words = {word}});
    EXPECT_TRUE(std::isnan(d.features.dense().values[0]));
    EXPECT_EQ(d.features.dense().values[3], 4);
  }
  const auto some = [](const std::string& word) {
    return [word](const std::string& text) { return text.back() == '3' ? word : text; };
  };
  const Dataset empty = read(table.csv(',', some("")));
  for (const char* word : {".", "-", "None", "n.d.", "#DIV/0!", "-999"}) {
    const FeatureMatrix named = read(table.csv(',', some(word)), {.missing_words = {word}}).features.dense();
    std::size_t missing = 0;
    for (std::size_t k = 0; k < named.values.size(); ++k) {
      const float a = named.values[k], b = empty.features.dense().values[k];
      missing += std::isnan(a);
      ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << word;
    }
    EXPECT_GT(missing, 10U);
  }
  const Dataset d = read("label,a,b\nt,-999,0.5\nn,-999.0,4\n-999,1,2\n", {.missing_words = {"-999"}});
  EXPECT_TRUE(std::isnan(d.features.dense().values[0]) && std::isnan(d.features.dense().values[2]));
  EXPECT_EQ(d.samples(), 2U);  // the third has no label
  EXPECT_TRUE(noted(d, "1 sample left out, their label is missing: '3'"));
}

TEST_F(AsLaboratoriesHaveIt, MissingLabelsAreLeftOutAlike) {
  const Dataset in_rows = read("id,label,a\ns1,t,1\ns2,,2\ns3,n,3\n");
  EXPECT_EQ(in_rows.sample_names, (std::vector<std::string>{"s1", "s3"}));
  const Dataset in_columns = read("gene\ts1\ts2\ts3\nlabel\tt\tNA\tn\na\t1\t2\t3\nb\t4\t5\t6\n");
  EXPECT_EQ(in_columns.sample_names, (std::vector<std::string>{"s1", "s3"}));
  EXPECT_EQ(in_columns.features.dense().values, (std::vector<float>{1, 4, 3, 6}));
  EXPECT_TRUE(noted(in_columns, "1 sample left out, their label is missing: 's2'"));
}

TEST_F(AsLaboratoriesHaveIt, FormatsThatAreNamedAndPointedOn) {
  using namespace std::string_literals;
  const std::pair<std::string, std::string> foreign[] = {{"PAR1\x15\x04", "pandas.read_parquet"},
                                                         {"PAR1\x15\x04", "arrow::read_parquet"},
                                                         {"FEA1\0\0"s, "feather::read_feather"},
                                                         {"RDX2\nX\n", "load(FILE)"},
                                                         {"\x80\x02}", "pandas.read_pickle"},
                                                         {"\x80\x03}", "pandas.read_pickle"},
                                                         {"\x80\x05\x95", "pandas.read_pickle"},
                                                         {"BCF\2\2", "plink --bcf"},
                                                         {"CRAM\3", "featureCounts"},
                                                         {"MATLAB 5.0 MAT-file", "writematrix"},
                                                         {"<html>\n", "a web page"},
                                                         {"BZh91AY", "bunzip2 FILE"},
                                                         {"\xfd\x37zXZ\0"s, "unxz FILE"},
                                                         {"ARROW1\0\0"s, "pandas.read_feather"},
                                                         {"X\n\0\0\0\3"s, "readRDS(FILE)"},
                                                         {"RDX3\nX\n", "load(FILE)"},
                                                         {"\x80\x04\x95", "pandas.read_pickle"},
                                                         {"##fileformat=VCFv4.2\n", "plink --vcf"},
                                                         {"BAM\1", "featureCounts"},
                                                         {"%PDF-1.4", "PDF"},
                                                         {"\xd0\xcf\x11\xe0", "save it as .xlsx"},
                                                         {"<!DOCTYPE html>\n", "a web page"}};
  for (const auto& [bytes, part] : foreign) {
    expect_error<InputError>([&] { read(bytes); }, {"is not read here", part});
    expect_error<InputError>([&] { read_dataset(dir_.write("t.gz", test::gzip(bytes))); }, {part});
  }
}

}  // namespace
}  // namespace cavity
