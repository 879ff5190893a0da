// .h5ad and 10x .h5 files that are wrong, or odd.
#pragma once

#include <functional>

#include "corpus/corpus_file.hpp"
#include "support/hdf5_files.hpp"

namespace cavity::test {

inline Corpus cells_corpus() {
  using Write = std::function<void(const Hdf5Writer&)>;
  using Numbers = std::vector<double>;
  using Texts = std::vector<std::string>;
  const TempDir folder;
  const auto made = [&](const Write& write) {
    Hdf5Writer file(folder.path("made.h5"));
    write(file);
    return read_file(file.close());
  };
  const Texts cells = {"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"}, genes = {"a", "b"};
  const Numbers values = {2.1, 0.3, -1.9, 0.1, 1.7, -0.4, -2.2, 0.5, 2.4, 0.2, -1.6, 0.3, 1.8, 0.1, -2.0, 0.2};
  const std::vector<std::vector<double>> rows = {{2, 0}, {0, 1}, {3, 1}, {0, 2}, {2, 1}, {0, 0}, {4, 0}, {0, 1}};
  const std::vector<std::int8_t> codes = {1, 0, 1, 0, 1, 0, 1, 0};
  const auto frames = [=](const Hdf5Writer& f) {
    f.frame("obs", cells);
    f.frame("var", genes);
    f.categories("obs/state", {"n", "t"}, codes);
  };
  const auto with = [=](const Write& matrix) -> Write {
    return [=](const Hdf5Writer& f) {
      frames(f);
      matrix(f);
    };
  };
  const Write dense = [=](const Hdf5Writer& f) { f.numbers("X", values, {8, 2}); };
  const auto sparse = [=](const char* kind, std::vector<std::int64_t> shape) -> Write {
    return [=](const Hdf5Writer& f) {
      f.group("X");
      f.attribute("X", "encoding-type", kind);
      f.attribute("X", "shape", shape);
      f.compressed("X", rows);
    };
  };
  const auto parts = [=](const Numbers& data, const std::vector<std::int32_t>& at,
                         const std::vector<std::int32_t>& start) -> Write {
    return [=](const Hdf5Writer& f) {
      f.group("X");
      f.attribute("X", "encoding-type", "csr_matrix");
      f.attribute("X", "shape", std::vector<std::int64_t>{8, 2});
      f.numbers("X/data", data);
      f.numbers("X/indices", at);
      f.numbers("X/indptr", start);
    };
  };
  const auto tenx = [=](std::vector<std::int32_t> shape, const Texts& names) -> Write {
    return [=](const Hdf5Writer& f) {
      f.group("matrix");
      f.compressed("matrix", rows);
      f.numbers("matrix/shape", shape);
      f.texts("matrix/barcodes", cells, true);
      f.group("matrix/features");
      f.texts("matrix/features/name", names, true);
      f.texts("matrix/features/id", names, true);
    };
  };
  const std::string good = made(with(dense));
  const std::string predict = "fit @ --density 0.5 --noise 0.1 --labels LABELS";
  return {
      {"dense.h5ad", good, 0},
      {"csr.h5ad", made(with(sparse("csr_matrix", {8, 2}))), 0},
      {"of_labels_file.h5ad", good, 0, "", predict},
      {"tenx.h5", made(tenx({2, 8}, genes)), 0, "", predict},
      {"tenx_same_symbol.h5", made(tenx({2, 8}, {"a", "a"})), 0, "", predict},
      {"empty_name.h5ad", made([=](const Hdf5Writer& f) {
         f.frame("obs", cells);
         f.frame("var", {"a", ""});
         f.categories("obs/state", {"n", "t"}, codes);
         dense(f);
       }),
       0},
      {"code_beyond.h5ad", made([=](const Hdf5Writer& f) {
         f.frame("obs", cells);
         f.frame("var", genes);
         f.categories("obs/state", {"n", "t"}, {1, 0, 1, 0, 1, 0, 1, 7});
         dense(f);
       }),
       0},
      {"start_alone.h5", "\x89HDF\r\n\x1a\n", 3, "damaged or cut short"},
      {"cut_in_half.h5ad", good.substr(0, good.size() / 2), 3, "HDF5 file"},
      {"cut_one_byte.h5ad", good.substr(0, good.size() - 1), 3, "HDF5 file"},
      {"other_label.h5ad", good, 2, "no label column 'stat'", "fit @ --density 0.5 --noise 0.1 --label stat"},
      {"no_label.h5ad", good, 2, "columns with two values: 'state'", "fit @ --density 0.5 --noise 0.1"},
      {"no_layer.h5ad", good, 2, "no layer 'x'", "fit @ --label state --layer x"},
      {"nothing.h5", made([](const Hdf5Writer&) {}), 3, "it holds "},
      {"weights.h5", made([](const Hdf5Writer& f) { f.group("weights"); }), 3, "'weights'"},
      {"mudata.h5mu", made([](const Hdf5Writer& f) { f.group("mod"); }), 3, "MuData"},
      {"shape_turned.h5ad", made(with(sparse("csr_matrix", {2, 8}))), 3, "does not fit its size"},
      {"shape_of_one.h5ad", made(with(sparse("csr_matrix", {8}))), 3, "no size of cells by features"},
      {"shape_negative.h5ad", made(with(sparse("csr_matrix", {8, -2}))), 3, "no size of cells by features"},
      {"shape_huge.h5ad", made(with(sparse("csr_matrix", {8, 2000000000}))), 3, ""},
      {"other_kind.h5ad", made(with(sparse("coo_matrix", {8, 2}))), 3, "'coo_matrix'"},
      {"index_beyond.h5ad", made(with(parts({1}, {5}, {0, 1, 1, 1, 1, 1, 1, 1, 1}))), 3, "does not fit its size"},
      {"index_negative.h5ad", made(with(parts({1}, {-1}, {0, 1, 1, 1, 1, 1, 1, 1, 1}))), 3, "does not fit its size"},
      {"start_backwards.h5ad", made(with(parts({1}, {1}, {0, 1, 0, 1, 1, 1, 1, 1, 1}))), 3, "does not fit its size"},
      {"twice.h5ad", made(with(parts({1, 2}, {1, 1}, {0, 2, 2, 2, 2, 2, 2, 2, 2}))), 3, "is stored twice"},
      {"infinite.h5ad", made(with(parts({1e300}, {1}, {0, 1, 1, 1, 1, 1, 1, 1, 1}))), 3, "infinite or too large"},
      {"text_matrix.h5ad", made(with([=](const Hdf5Writer& f) { f.texts("X", cells); })), 3,
       "no size of cells by features"},
      {"not_stored.h5ad", made(with([](const Hdf5Writer& f) {
         f.nothing("X", {20000, 20000});
       })),
       3, ""},
      {"other_genes.h5ad", made([=](const Hdf5Writer& f) {
         f.frame("obs", cells);
         f.frame("var", {"a", "b", "c"});
         dense(f);
       }),
       3, "3 names for 2 features"},
      {"old_frames.h5ad", made([=](const Hdf5Writer& f) {
         f.texts("obs", cells);
         f.texts("var", genes);
         dense(f);
       }),
       3, "before 0.7"},
      {"tenx_other_names.h5", made(tenx({2, 8}, {"a"})), 3, "1 names for 2 features", predict},
      {"tenx_turned.h5", made(tenx({8, 2}, genes)), 3, "does not fit its size", predict},
  };
}

}  // namespace cavity::test
