// A data set as it stands in a file: one row a sample, float32 features, two classes or more, names for everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cavity {

/// Row-major float32 matrix; NaN marks a missing value. Its values are its own, or borrowed: then they are only read,
/// and must outlive the matrix and its copies, which is what the keeper is for, where there is one.
struct FeatureMatrix {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values;           // empty while borrowed
  const float* borrowed = nullptr;     // somebody else's rows x cols values
  std::shared_ptr<const void> keeper;  // keeps them alive (a mapped file); empty: the caller sees to it

  FeatureMatrix() = default;
  FeatureMatrix(std::size_t r, std::size_t c) : rows(r), cols(c), values(r * c) {}
  static FeatureMatrix borrow(const float* values, std::size_t rows, std::size_t cols,
                              std::shared_ptr<const void> keeper = {}) {
    FeatureMatrix out;
    out.rows = rows;
    out.cols = cols;
    out.borrowed = values;
    out.keeper = std::move(keeper);
    return out;
  }

  const float* data() const { return borrowed ? borrowed : values.data(); }
  const float* row(std::size_t r) const { return data() + r * cols; }
  /// For writing: of an owned matrix only.
  float* row(std::size_t r) { return values.data() + r * cols; }
  /// Copies borrowed values, so that they may be written.
  void own() {
    if (!borrowed) return;
    values.assign(borrowed, borrowed + rows * cols);
    give_back();
  }
  /// Lets go of borrowed values; those in `values` count from now on.
  void give_back() {
    borrowed = nullptr;
    keeper.reset();
  }
};

/// A column that is always kept (age, sex, ...): text as read, so that categories need no numbers.
struct CovariateColumn {
  std::string name;
  std::vector<std::string> values;  // one a sample; empty, NA and NaN mean missing
};

/// Compressed sparse columns, 8 bytes a stored value. What is not stored is zero; NaN marks a missing value.
struct CompressedColumns {
  std::size_t samples = 0;
  std::vector<std::uint64_t> start;  // one more than columns
  std::vector<std::uint32_t> row;    // ascending within a column
  std::vector<float> value;

  std::size_t columns() const { return start.empty() ? 0 : start.size() - 1; }
};

class Table;  // how the values are held (src/table/table.hpp)

/// The features of a data set: samples x features, held densely, as compressed sparse columns, as packed genotypes or
/// as columns of a file. A value: copies share what they hold until one of them is written to.
class FeatureTable {
 public:
  FeatureTable();                     // 0 x 0
  FeatureTable(FeatureMatrix dense);  // NOLINT(google-explicit-constructor): a matrix is a table
  /// std::invalid_argument unless starts and rows ascend and the sizes fit together.
  explicit FeatureTable(CompressedColumns sparse);
  explicit FeatureTable(std::shared_ptr<Table> table) : table_(std::move(table)) {}

  std::size_t rows() const;
  std::size_t cols() const;
  bool is_dense() const;
  /// The values of a dense table; std::logic_error of any other.
  const FeatureMatrix& dense() const;
  /// The same for writing. Values that another copy holds, too, are copied first; borrowed ones stay so (see
  /// FeatureMatrix).
  FeatureMatrix& dense();
  /// The stored values of a sparse table, for writing, as dense(); std::logic_error of any other.
  CompressedColumns& sparse();
  /// Makes any other table dense; InputError when that is beyond memory.
  void make_dense();
  const Table& table() const { return *table_; }

 private:
  std::shared_ptr<Table> table_;
};

/// Features that come from one table of several: they stand next to each other. A sample that lacks the table has no
/// value for any of them.
struct FeatureBlock {
  std::string name;
  std::size_t features = 0;
};

struct Dataset {
  FeatureTable features;
  std::vector<std::string> feature_names;  // cols() of them, all different
  std::vector<std::string> sample_names;   // ids of the file, or "1", "2", ...
  std::vector<std::uint32_t> classes;      // a sample: a position in class_names, their number where it is unknown
                                           // (prediction only); empty when there are no labels
  std::vector<std::string> class_names = {"", ""};  // in order; of two [0] is the negative and [1] the positive one
  std::string label_name;                   // the label column: its name, or its position when there is no header
  std::vector<CovariateColumn> covariates;  // those asked for by name, taken out of the features
  std::vector<std::string> groups;  // what each sample belongs to (a patient), "" not known; empty when not asked for
  std::string id_name;              // the column of sample ids, where it has a name
  std::vector<std::string> notes;   // what the reader decided: format, header, label column, positive class
  std::vector<FeatureBlock> blocks{};  // all features in order, where they come from several tables; else empty
  bool absent_is_zero = false;         // svmlight: a feature f<index> that the file does not name is 0 throughout

  std::size_t samples() const { return features.rows(); }
};

}  // namespace cavity
