// Workbooks, .npz, zip archives and the folder of 10x Genomics: the numbers of the plain CSV, and refusals.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/one_table.hpp"
#include "support/zip_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using test::noted;
using Names = std::vector<std::string>;

class Archives : public testing::Test {
 protected:
  Dataset read(const std::string& bytes, const ReadOptions& options = {}) {
    return read_dataset(dir_.write("t.bin", bytes), options);
  }
  /// Rows of a sheet: numbers as <v>, text in the shared list, or in the cells.
  std::string rows(bool shared, std::string& texts) const {
    std::size_t count = 0;
    const auto text = [&](std::size_t row, std::size_t column, const std::string& value) {
      const std::string place = test::column_letters(column) + std::to_string(row);
      if (!shared) return fmt::format("<c r=\"{}\" t=\"inlineStr\"><is><t>{}</t></is></c>", place, value);
      texts += fmt::format("<si><r><t>{}</t></r><r><t>{}</t></r><rPh><t>spoken</t></rPh></si>", value.substr(0, 1),
                           value.substr(1));
      return fmt::format("<c r=\"{}\" t=\"s\"><v>{}</v></c>", place, count++);
    };
    std::string out = "<row r=\"1\">" + text(1, 0, "id") + text(1, 1, "label");
    for (std::size_t j = 0; j < table.genes; ++j) out += text(1, j + 2, table.names[j]);
    out += "</row>";
    for (std::size_t i = 0; i < table.samples; ++i) {
      const std::size_t row = i + 3;  // one is blank
      out += fmt::format("<row r=\"{}\">", row) + text(row, 0, table.ids[i]) + text(row, 1, table.classes[i]);
      for (std::size_t j = 0; j < table.genes; ++j)
        out += fmt::format("<c r=\"{}{}\" s=\"0\"><f>A1*2</f><v>{}</v></c>", test::column_letters(j + 2), row,
                           table.values[i][j]);
      out += "</row>";
    }
    return out;
  }
  const test::OneTable table;
  test::TempDir dir_;
};

TEST_F(Archives, AWorkbookGivesTheNumbersOfTheCsv) {
  for (const bool shared : {true, false})
    for (const bool compress : {true, false}) {
      std::string texts;
      const std::string sheet = rows(shared, texts);
      table.expect_same(read(test::zip(test::workbook({{"Data", sheet}}, texts), compress)));
      const std::string two =
          test::zip(test::workbook({{"About", "<row><c t=\"str\"><v>x</v></c></row>"}, {"Data", sheet}}, texts));
      table.expect_same(read(two, {.sheet = "Data"}));
      table.expect_same(read(two, {.sheet = "2"}));
      expect_error<UsageError>([&] { read(two, {.sheet = "data"}); }, {"no sheet 'data'", "'About', 'Data'"});
    }
}

TEST_F(Archives, CellsThatAreNoNumbers) {
  const std::string styles =
      "<numFmts><numFmt numFmtId=\"170\" formatCode=\"dd&quot;x&quot;\"/><numFmt numFmtId=\"171\" "
      "formatCode=\"[Red]0.0\"/></numFmts>"
      "<cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf "
      "numFmtId=\"170\"/><xf numFmtId=\"171\"/></cellXfs>";
  const std::string head =
      "<row><c t=\"str\"><v>label</v></c><c t=\"str\"><v>day</v></c><c t=\"str\"><v>a&amp;b &#xe9;, \"c\"</v></c><c "
      "t=\"str\"><v>d</v></c></row>";
  const auto row = [](const char* label, const char* day, const char* a, const char* d) {
    return fmt::format("<row><c t=\"str\"><v>{}</v></c><c s=\"1\"><v>{}</v></c><c s=\"3\"><v>{}</v></c>{}</row>", label,
                       day, a, d);
  };
  const std::string sheet = head + row("t", "45322", "1", "<c t=\"e\"><v>#N/A</v></c>") +
                            row("n", "36585.75", "2", "<c/>") + row("t", "45322", "3.5", "<c><v>7</v></c>");
  const Dataset d = read(test::zip(test::workbook({{"x", sheet}}, "", styles)));
  EXPECT_EQ(d.feature_names, (Names{"a&b \xc3\xa9, \"c\"", "d"}));
  EXPECT_TRUE(noted(d, "left out, dates: 'day'"));
  EXPECT_TRUE(std::isnan(d.features.dense().values[1]) && std::isnan(d.features.dense().values[3]));
  EXPECT_EQ(d.features.dense().values[5], 7);
}

TEST_F(Archives, AWorkbookCanBeASheetOfSamplesAndCovariates) {
  std::string lines =
      "<row><c t=\"str\"><v>id</v></c><c t=\"str\"><v>diagnosis</v></c><c t=\"str\"><v>age</v></c></row>";
  for (std::size_t i = 0; i < table.samples; ++i)
    lines += fmt::format("<row><c t=\"str\"><v>{}</v></c><c t=\"str\"><v>{}</v></c><c><v>{}</v></c></row>",
                         table.ids[i], table.classes[i], 40 + i % 5);
  const std::string sheet = dir_.write("s.xlsx", test::zip(test::workbook({{"x", lines}})));
  table.expect_same(read(table.turned("gene"), {.covariates = {"age"}, .sample_sheet = sheet}));
}

TEST_F(Archives, DamagedWorkbooksAreRefused) {
  std::string texts;
  const std::string sheet = rows(true, texts), good = test::zip(test::workbook({{"Data", sheet}}, texts));
  for (std::size_t cut = 1; cut < good.size(); cut += good.size() / 40)
    expect_error<InputError>([&] { read(good.substr(0, cut)); }, {});
  std::string bad = good;
  bad[bad.find("xl/worksheets") + 60] ^= 0x55;
  expect_error<InputError>([&] { read(bad); }, {});
  const auto refuse = [&](const std::string& rows_xml, std::initializer_list<std::string> parts) {
    expect_error<InputError>([&] { read(test::zip(test::workbook({{"x", rows_xml}}))); }, parts);
  };
  refuse("", {"the sheet is empty"});
  refuse("<row r=\"2\"/><row r=\"1\"/>", {"rows are out of order"});
  refuse("<row><c r=\"B1\"/><c r=\"A1\"/></row>", {"cells are out of order"});
  refuse("<row><c t=\"s\"><v>0</v></c></row>", {"a text that is not there"});
  refuse("<row><c t=\"str\"><v>a</v></c", {"the sheet is damaged"});
  expect_error<InputError>(
      [&] {
        read(test::zip({{"xl/workbook.xml", "<!DOCTYPE x><sheets><sheet/></sheets>"}}));
      },
      {"a document type"});
  expect_error<InputError>(
      [&] {
        read(test::zip({{"a.txt", "x"}, {"b.txt", "y"}}));
      },
      {"a zip archive of several files", "'a.txt', 'b.txt'"});
  expect_error<InputError>([&] { read(test::zip({{"mimetype", "x"}, {"content.xml", "y"}})); }, {"OpenDocument"});
}

std::size_t peak() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) << 10;
}

TEST_F(Archives, BombsAreRefusedInLittleMemory) {
  [[maybe_unused]] constexpr std::size_t most = std::size_t{256} << 20;
  std::string long_text = "<si><t>" + std::string(30000, 'x') + "</t></si>", cells, far;
  for (int i = 1; i <= 9000; ++i) cells += fmt::format("<row r=\"{}\"><c t=\"s\"><v>0</v></c></row>", i);
  far = "<row r=\"1\"><c r=\"A1\"><v>1</v></c><c r=\"XFD1\"><v>1</v></c></row>";
  for (int i = 2; i <= 30000; ++i) far += fmt::format("<row r=\"{0}\"><c r=\"A{0}\"><v>1</v></c></row>", i);
  const std::string repeats = test::zip(test::workbook({{"x", cells}}, long_text)),
                    empty = test::zip(test::workbook({{"x", far}}));
  std::string zeros = test::zip({{"x.csv", std::string(std::size_t{80} << 20, '0')}});
  [[maybe_unused]] const std::size_t before = peak();
  expect_error<InputError>([&] { read(repeats); }, {"repeat long texts"});
  expect_error<InputError>([&] { read(empty); }, {"nearly empty"});
  expect_error<InputError>([&] { read(zeros); }, {"expand to"});
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which keep freed memory
  EXPECT_LT(peak() - before, most);
#endif
}

TEST_F(Archives, Npz) {
  const Dataset plain = table.plain();
  const FeatureMatrix& values = plain.features.dense();
  const std::string data(reinterpret_cast<const char*>(values.values.data()), values.values.size() * sizeof(float));
  const std::string array = test::npy("<f4", fmt::format("({}, {})", values.rows, values.cols), data);
  const ReadOptions unlabelled{.labels_required = false};
  const auto layer = [](const char* name) { return ReadOptions{.labels_required = false, .layer = name}; };
  for (const bool compress : {true, false}) {
    EXPECT_EQ(read(test::zip({{"arr_0.npy", array}}, compress), unlabelled).features.dense().values, values.values);
    const std::string two =
        test::zip({{"y.npy", test::npy("<f4", "(1, 1)", "abcd")}, {"X.npy", array}, {"Z.npy", array}}, compress);
    EXPECT_EQ(read(two, unlabelled).features.dense().values, values.values);
    EXPECT_EQ(read(two, layer("Z")).features.dense().values, values.values);
    expect_error<UsageError>([&] { read(two, layer("W")); }, {"no array 'W'", "'y', 'X', 'Z'"});
  }
  expect_error<UsageError>(
      [&] {
        read(test::zip({{"a.npy", array}, {"b.npy", array}}), unlabelled);
      },
      {"which array?"});
  expect_error<InputError>(
      [&] {
        read(test::zip({{"indices.npy", array}, {"indptr.npy", array}}), unlabelled);
      },
      {"mmwrite"});
}

TEST_F(Archives, AZippedTable) {
  table.expect_same(read(test::zip({{"folder/", ""}, {"folder/t.csv", table.csv()}, {"__MACOSX/t.csv", "x"}})));
  table.expect_same(read(test::zip({{"t.csv.gz", test::gzip(table.csv())}})));
  expect_error<InputError>(
      [&] {
        read(test::zip({{"t.zip", test::zip({{"t.csv", "a"}})}}));
      },
      {"a zip archive in a zip archive"});
}

class Tenx : public Archives {
 protected:
  void write(bool compressed, const std::string& names = "features.tsv") {
    std::string matrix, features, barcodes;
    std::size_t stored = 0;
    for (std::size_t j = 0; j < table.genes; ++j) {
      features += fmt::format("ENSG{:05}\t{}\tGene Expression\n", j, table.names[j]);
      for (std::size_t i = 0; i < table.samples; ++i, ++stored)
        matrix += fmt::format("{} {} {}\n", j + 1, i + 1, table.values[i][j]);
    }
    for (const auto& id : table.ids) barcodes += id + "\n";
    matrix = fmt::format("%%MatrixMarket matrix coordinate real general\n%metadata\n{} {} {}\n", table.genes,
                         table.samples, stored) +
             matrix;
    const auto put = [&](const std::string& name, const std::string& text) {
      dir_.write(compressed ? name + ".gz" : name, compressed ? test::gzip(text) : text);
    };
    put("matrix.mtx", matrix);
    put(names, features);
    put("barcodes.tsv", barcodes);
  }
};

TEST_F(Tenx, AFolderGivesTheNumbersOfTheCsv) {
  for (const bool compressed : {false, true}) {
    write(compressed, compressed ? "features.tsv" : "genes.tsv");
    const std::string sheet = dir_.write("sheet.tsv", table.sheet());
    const std::string folder = dir_.path("");
    const Dataset d = read_dataset(folder, {.label = "diagnosis", .sample_sheet = sheet});
    table.expect_same(d);
    EXPECT_TRUE(noted(d, "10x folder: 12 cells by 30 features"));
    table.expect_same(read_dataset(dir_.path(compressed ? "matrix.mtx.gz" : "matrix.mtx"), {.sample_sheet = sheet}));
    expect_error<UsageError>([&] { read_dataset(folder); }, {"holds no labels", "`samples`"});
  }
}

TEST_F(Tenx, FilesThatDoNotBelongTogether) {
  const ReadOptions options{.labels_required = false};
  write(false);
  dir_.write("features.tsv", "ENSG1\tA\nENSG2\tB\n");
  expect_error<InputError>([&] { read_dataset(dir_.path(""), options); }, {"2 lines for 30 features", "one run"});
  write(false);
  std::string symbols;
  for (std::size_t j = 0; j < table.genes; ++j) symbols += fmt::format("E{}\t{}\n", j, j < 2 ? "SAME" : table.names[j]);
  dir_.write("features.tsv", symbols);
  EXPECT_EQ(read_dataset(dir_.path(""), options).feature_names[1], "SAME_E1");
  std::filesystem::remove(dir_.path("barcodes.tsv"));
  expect_error<IoError>([&] { read_dataset(dir_.path(""), options); }, {"barcodes.tsv"});
}

}  // namespace
}  // namespace cavity
