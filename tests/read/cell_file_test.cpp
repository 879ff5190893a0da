// .h5ad and 10x .h5: the numbers of the plain CSV, whatever the layout; bombs and files of other kinds.
#include <gtest/gtest.h>

#include <charconv>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/hdf5_files.hpp"
#include "support/one_table.hpp"

namespace cavity {
namespace {

using test::expect_error;
using test::noted;

class CellFile : public testing::Test {
 protected:
  std::vector<std::vector<double>> rows() const {
    std::vector<std::vector<double>> out;
    for (const auto& row : table.values) {
      out.emplace_back();
      for (const auto& text : row) {
        double value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        out.back().push_back(value);
      }
    }
    return out;
  }
  static std::vector<std::vector<double>> turned(const std::vector<std::vector<double>>& from) {
    std::vector<std::vector<double>> out(from.front().size(), std::vector<double>(from.size()));
    for (std::size_t i = 0; i < from.size(); ++i)
      for (std::size_t j = 0; j < from[i].size(); ++j) out[j][i] = from[i][j];
    return out;
  }
  static std::vector<double> flat(const std::vector<std::vector<double>>& from) {
    std::vector<double> out;
    for (const auto& row : from) out.insert(out.end(), row.begin(), row.end());
    return out;
  }
  void frames(const test::Hdf5Writer& file) const {
    file.frame("obs", table.ids);
    file.frame("var", table.names);
    std::vector<std::int8_t> codes;
    std::vector<double> ages;
    for (std::size_t i = 0; i < table.samples; ++i) {
      codes.push_back(table.classes[i] == "ill" ? 1 : 0);
      ages.push_back(40.5 + static_cast<double>(i));
    }
    file.categories("obs/diagnosis", {"healthy", "ill"}, codes);
    file.numbers("obs/age", ages);
  }
  void sparse(const test::Hdf5Writer& file, const std::string& name, bool by_cell) const {
    file.group(name);
    file.attribute(name, "encoding-type", by_cell ? "csr_matrix" : "csc_matrix");
    file.attribute(
        name, "shape",
        std::vector<std::int64_t>{static_cast<std::int64_t>(table.samples), static_cast<std::int64_t>(table.genes)});
    file.compressed(name, by_cell ? rows() : turned(rows()));
  }
  std::string path() { return dir_.path("t.h5ad"); }
  const test::OneTable table;
  test::TempDir dir_;
};

TEST_F(CellFile, AnnotatedDataGiveTheNumbersOfTheCsv) {
  for (const char* form : {"dense", "dense compressed", "csr", "csc"}) {
    test::Hdf5Writer file(path());
    frames(file);
    const std::string kind = form;
    if (kind.starts_with("dense"))
      file.numbers("X", flat(rows()), {table.samples, table.genes}, kind.ends_with("compressed"));
    else
      sparse(file, "X", kind == "csr");
    file.close();
    for (const bool compact : {false, true}) {
      const Dataset d = read_dataset(path(), {.label = "diagnosis", .covariates = {"age"}, .compact = compact});
      table.expect_same(d);
      EXPECT_EQ(d.covariates.at(0).values.front(), "40.5");
    }
    table.expect_same(read_dataset(path()));  // the only column that repeats texts is called as a label may be
    table.expect_same(read_dataset(dir_.write("t.gz", test::gzip(test::read_file(path())))));
    table.expect_same(read_dataset(path(), {.sample_sheet = dir_.write("s.tsv", table.sheet())}));
    expect_error<UsageError>([&] { read_dataset(path(), {.label = "diagnose"}); }, {"no label column", "'diagnosis'"});
    expect_error<UsageError>([&] { read_dataset(path(), {.layer = "counts"}); }, {"no layer 'counts'"});
  }
}

TEST_F(CellFile, Layers) {
  test::Hdf5Writer file(path());
  frames(file);
  file.numbers("X", std::vector<float>(table.samples * table.genes, 1), {table.samples, table.genes});
  file.group("layers");
  sparse(file, "layers/counts", true);
  file.group("raw");
  file.numbers("raw/X", flat(rows()), {table.samples, table.genes});
  file.frame("raw/var", table.names);
  file.close();
  table.expect_same(read_dataset(path(), {.layer = "counts"}));
  table.expect_same(read_dataset(path(), {.layer = "raw"}));
  expect_error<UsageError>([&] { read_dataset(path(), {.layer = "x"}); }, {"'counts', 'raw'"});
}

TEST_F(CellFile, TenxMatrix) {
  test::Hdf5Writer file(dir_.path("t.h5"));
  file.group("matrix");
  file.compressed("matrix", rows());  // columns of features x cells
  file.numbers("matrix/shape",
               std::vector<std::int32_t>{static_cast<int>(table.genes), static_cast<int>(table.samples)});
  file.texts("matrix/barcodes", table.ids, true);
  file.group("matrix/features");
  file.texts("matrix/features/name", table.names, true);
  std::vector<std::string> ids;
  for (std::size_t j = 0; j < table.genes; ++j) ids.push_back("ENSG" + std::to_string(j));
  file.texts("matrix/features/id", ids, true);
  file.close();
  table.expect_same(read_dataset(dir_.path("t.h5"), {.sample_sheet = dir_.write("s.tsv", table.sheet())}));
  expect_error<UsageError>([&] { read_dataset(dir_.path("t.h5")); }, {"holds no labels", "`samples`"});
}

TEST_F(CellFile, WhatIsNotStoredIsNotAskedFor) {
  test::Hdf5Writer file(path());
  frames(file);
  file.nothing("X", {20000, 20000});
  file.close();
  expect_error<InputError>([&] { read_dataset(path()); }, {"stored bytes", "a bomb, or beyond memory"});
}

// The C library reads an object without a size for ever, and one larger than the file from beyond it.
TEST_F(CellFile, HeapsOfTextsAreWalkedBeforeTheyAreRead) {
  test::Hdf5Writer file(path());
  frames(file);
  file.numbers("X", flat(rows()), {table.samples, table.genes});
  file.close();
  const std::string good = test::read_file(path());
  const std::size_t heap = good.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  constexpr std::size_t first = 16, own_size = 8;
  std::string endless = good;
  endless.replace(heap + first, 2, 2, '\0');
  endless.replace(heap + first + own_size, 8, 8, '\0');
  std::string beyond = good;
  beyond.replace(heap + first + own_size, 8, 8, '\xff');
  std::string larger = good;
  larger.replace(heap + own_size, 8, 8, '\x7f');
  for (const std::string& damaged : {endless, beyond, larger})
    expect_error<InputError>([&] { read_dataset(dir_.write("d.h5ad", damaged)); }, {"heap of texts", "h5repack"});
}

// The C library looks up any number in the list of a heap's objects, and copies all that the object has.
TEST_F(CellFile, TextsThatAreNotWhereTheyAreSaidToBe) {
  test::Hdf5Writer file(path());
  frames(file);
  file.numbers("X", flat(rows()), {table.samples, table.genes});
  file.close();
  const std::string good = test::read_file(path());
  const std::size_t heap = good.find("GCOL");
  std::string place(8, '\0');
  for (std::size_t k = 0; k < 8; ++k) place[k] = static_cast<char>(heap >> 8 * k & 0xff);
  // A reference: the length, four bytes; the heap's place, eight; the number in the heap, four. The ids follow each
  // other.
  const auto refers = [&](std::size_t at) { return good.compare(at + 4, 8, place) == 0; };
  std::size_t ids = good.find(place) - 4;
  while (ids + 16 * table.samples < good.size() && !(refers(ids) && refers(ids + 16 * (table.samples - 1)))) ++ids;
  ASSERT_TRUE(refers(ids + 16 * 5));
  table.expect_same(read_dataset(dir_.write("d.h5ad", good)));
  for (std::size_t i = 0; i < table.samples; ++i)
    for (const std::size_t byte : {0, 3, 4, 6, 12, 13, 15}) {
      std::string damaged = good;
      damaged[ids + 16 * i + byte] = '\x7f';
      expect_error<InputError>([&] { read_dataset(dir_.write("d.h5ad", damaged)); }, {"are not where it says"});
    }
}

TEST_F(CellFile, OtherFilesAreRefused) {
  {
    test::Hdf5Writer file(path());
    file.group("mod");
  }
  expect_error<InputError>([&] { read_dataset(path()); }, {"MuData", "mdata.mod['rna']"});
  {
    test::Hdf5Writer file(path());
    file.group("weights");
  }
  expect_error<InputError>([&] { read_dataset(path()); }, {"neither an .h5ad nor", "'weights'"});
  {
    test::Hdf5Writer file(path());
    frames(file);
    file.numbers("X", std::vector<float>(6, 1), {2, 3});
  }
  expect_error<InputError>([&] { read_dataset(path()); }, {"30 names for 3 features"});
  const std::string good = test::read_file(path());
  for (const std::size_t size : {std::size_t{9}, good.size() / 8, good.size() / 2, good.size() - 1})
    expect_error<InputError>([&] { read_dataset(dir_.write("cut.h5ad", good.substr(0, size))); }, {});
}

}  // namespace
}  // namespace cavity
