// From a file to a Dataset.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cavity/dataset.hpp"

namespace cavity {

enum class Header { detect, present, absent };

/// Which way a CSV lies. Features in rows: a first column of feature names, a header of sample ids, and where there is
/// no sample sheet a row that holds the labels, found by its name as a column would be.
enum class Orientation { detect, samples_in_rows, features_in_rows };

/// What separates decimals in a table of text. To detect: a comma where numbers have one and none has a point.
enum class Decimal { detect, point, comma };

/// Features of one name: refused, or one feature of their mean, sum or first, or told apart by .1, .2, ... behind all
/// but the first.
enum class Duplicates { refuse, mean, sum, first, suffix };

/// What a sample sheet says before the table is read; read_dataset fills it in.
struct KnownSamples {
  std::vector<std::string> ids{};
  std::string column{};                // their column in the sheet; one of the same name in the table holds them, too
  std::vector<std::string> columns{};  // all of the sheet: others of the same name in the table are no features
};

/// A column is named by its name in the header or, where no column has that name, by its 1-based position.
/// Every member has an initializer, so that callers may name only those they set: {.label = "y"}.
struct ReadOptions {
  std::string label{};        // column that holds the classes; empty: see read_dataset
  std::string positive{};     // of two, that becomes +1; empty: the last in order (numbers by value, else text)
  std::string sample_id{};    // column of sample ids; empty: an unnamed first column, else none
  std::string group{};        // column that says which samples belong together (PLINK: FID); empty: none
  std::string labels_file{};  // for .npy, Matrix Market, PLINK: one a line; one line more than samples: a header
  std::vector<std::string> covariates{};          // columns to take out of the features
  Header header = Header::detect;                 // CSV only
  Orientation orientation = Orientation::detect;  // CSV only
  bool labels_required = true;                    // false for prediction: labels are read when they are there
  std::vector<std::string> expected_classes{};    // prediction: the model's, of two [0] negative; empty: learn them
  // Prediction: the model's feature names. A column with such a name is never taken for the label; columns of a CSV
  // with a header that the model does not know are left out, and a file without header that has exactly this many
  // columns holds no label. Empty: every column that has no other role is a feature.
  std::vector<std::string> expected_features{};
  // Leave features in their file's own form where that saves memory; false: a dense matrix, whatever the file.
  bool compact = false;
  // Of a .bed or a Fortran-ordered .npy: bytes kept in memory (0: all); of a packed table: what reading it may take.
  std::size_t memory = 0;
  std::string covariate_file{};  // a table of covariates, a line a sample, found by id
  // A table with a line a sample, found by id in any order: label, group and covariates are columns of it, and
  // sample_id is its column of ids (empty: its first). Samples without a line, or whose label is missing, are left out.
  std::string sample_sheet{};
  std::string remembered_id{};    // the sheet's column of ids, if it has one of this name and sample_id is empty
  KnownSamples known_samples{};   // from the sheet
  bool labels_elsewhere = false;  // in the sheet: none is looked for in the table
  // Of a table that is left in its own form: read only this part of the columns (of svmlight, which is read whole).
  std::size_t part = 0, parts = 1;
  Decimal decimal = Decimal::detect;           // of text
  std::vector<std::string> missing_words{};    // of text: fields that stand for a missing value, beside NA and NaN
  std::string sheet{};                         // of a workbook: a sheet, by name or position; empty: the first
  std::string layer{};                         // of a file of several arrays: which of them is the table
  Duplicates duplicates = Duplicates::refuse;  // of tables with names
  std::vector<std::string> drop{};             // columns (features in rows: rows) that are left out
  std::vector<std::string> keep{};             // columns that are features, though they look like ids
  unsigned threads = 0;  // that parse a table, which does not depend on their number; 0: one a core
};

/// Reads CSV/TSV, .xlsx, svmlight, Matrix Market, .npy or .npz, plain, gzip or zstd: the format is detected from the
/// content, and "-" is standard input. A folder of 10x Genomics is named by itself or by its matrix.mtx. A PLINK 1
/// fileset is named by its .bed or by what its three files (.bed, .bim, .fam) have in common. Throws InputError,
/// IoError or UsageError.
///
/// A large .npy file of float32 in C order is not copied: the features are borrowed from the mapped file, which must
/// not be changed (other values) or shortened (SIGBUS) while they are in use; replacing it by another file is fine.
///
/// Label column of a CSV when none is named: the column called label, class, y or target (in any case); otherwise the
/// first column if it is not numeric; otherwise an error that names the first columns.
///
/// Features in rows are found where it is clear: the first column, not the header, names features of the model; or it
/// holds names that hardly repeat, the rest is numbers, no column is the label, and a row is called as a label column
/// would be, or rows outnumber columns by two to one (an error then: the labels are nowhere).
///
/// Classes are told apart by text, numbers by value ("1" and "1.0" are one class, shown as "1"). Two make labels; more
/// make classes. Numbers of many different values are no classes: InputError.
///
/// Feature names: those of the header (an empty one becomes x<column>); without a header and for .npy x1, x2, ... by
/// feature; for svmlight f<index>.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

}  // namespace cavity
