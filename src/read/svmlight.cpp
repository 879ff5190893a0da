#include "read/svmlight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/labels.hpp"
#include "read/word_lines.hpp"
#include "table/matrix_size.hpp"
#include "table/sparse_table.hpp"

namespace cavity {

namespace {

constexpr std::size_t largest_index = 2147483647;  // LIBSVM's own limit

struct Entry {
  std::size_t index;
  std::string_view value;
};

/// The lines that hold a sample, comments cut off.
class Lines : public WordLines {
 public:
  using WordLines::WordLines;

  bool next() {
    while (WordLines::next()) {
      cut('#');
      label_ = word();
      last_.reset();
      if (!label_.empty()) return true;
    }
    return false;
  }

  std::string_view label() const { return label_; }

  /// The next index:value of the line; query ids are skipped, the order of indices is checked.
  std::optional<Entry> entry() {
    std::string_view token = word();
    while (token.starts_with("qid:")) token = word();
    if (token.empty()) return std::nullopt;
    Entry entry{0, {}};
    const char* end = token.data() + token.size();
    const auto [rest, error] = std::from_chars(token.data(), end, entry.index);
    if (rest == token.data() || rest == end || *rest != ':') fail(token, "is not index:value");
    if (error != std::errc{} || entry.index > largest_index) {
      fail(token, fmt::format("has a feature index above {}", largest_index));
    }
    if (last_ && entry.index <= *last_) {
      fail(token,
           fmt::format("comes after index {}; indices must increase along a line, so sort them and remove repeats",
                       *last_));
    }
    last_ = entry.index;
    entry.value = std::string_view(rest + 1, static_cast<std::size_t>(end - rest - 1));
    return entry;
  }

 private:
  std::string_view label_;
  std::optional<std::size_t> last_;
};

struct Extent {
  std::size_t rows = 0, largest = 0, values = 0;
  bool zero_based = false;

  std::size_t first() const { return zero_based ? 0 : 1; }
  std::size_t columns() const { return largest + 1 - first(); }
};

float parse_value(const Lines& lines, const Entry& entry) {
  const Value value = read_value(entry.value);
  const auto number = static_cast<float>(value.number);
  const bool infinite = value.kind == Kind::infinite || std::isinf(number);
  if (value.kind != Kind::text && !entry.value.empty() && !infinite) return number;
  lines.fail(fmt::format("{}:{}", entry.index, entry.value),
             infinite ? "is infinite or too large for a 32-bit float" : "has no number after the colon");
}

/// Looks at everything that can be wrong: a matrix that a short line may make huge is asked for only after this.
Extent measure(std::string_view text, LabelTexts& labels) {
  Extent extent;
  for (Lines lines(text, labels.path); lines.next(); ++extent.rows) {
    labels.values.emplace_back(lines.label());
    labels.lines.push_back(lines.number());
    while (const auto entry = lines.entry()) {
      extent.largest = std::max(extent.largest, entry->index);
      ++extent.values;
      extent.zero_based |= entry->index == 0;
      parse_value(lines, *entry);
    }
  }
  return extent;
}

void check_options(const ReadOptions& options) {
  const bool columns = !options.sample_id.empty() || !options.covariates.empty();
  if (columns || (options.labels_required && !options.label.empty())) {
    throw UsageError(
        "an svmlight file has no named columns: its label comes first on each line, and covariates stand in a file of "
        "their own (`covariate_file`)");
  }
  if (!options.labels_file.empty())
    throw UsageError("a separate file of labels goes with .npy; an svmlight file has its own");
}

/// Calls visit(row, column, lines, entry) for every value of the file, which measure() has found good.
template <class Visit>
void for_values(const Bytes& bytes, const std::string& path, const Extent& extent, const Visit& visit) {
  std::size_t row = 0;
  for (Lines lines(bytes.view(), path); lines.next(); ++row) {
    while (const auto entry = lines.entry()) visit(row, entry->index - extent.first(), lines, *entry);
    if (row % 1024 == 0) bytes.release_before(lines.position());
  }
}

FeatureMatrix read_dense(const Bytes& bytes, const std::string& path, const Extent& extent) {
  FeatureMatrix out = allocate_features(extent.rows, extent.columns(), path);
  for_values(bytes, path, extent, [&](std::size_t row, std::size_t column, const Lines& lines, const Entry& entry) {
    out.row(row)[column] = parse_value(lines, entry);
  });
  return out;
}

/// Columns outside of [first, last) stay empty: another process has them.
CompressedColumns read_sparse(const Bytes& bytes, const std::string& path, const Extent& extent,
                              const ReadOptions& options) {
  const std::size_t first = extent.columns() * options.part / options.parts,
                    last = extent.columns() * (options.part + 1) / options.parts;
  const auto for_own = [&](const auto& visit) {
    for_values(bytes, path, extent, [&](std::size_t row, std::size_t column, const Lines& lines, const Entry& entry) {
      if (column >= first && column < last) visit(row, column, lines, entry);
    });
  };
  ColumnBuilder builder(extent.rows, extent.columns(), extent.values / options.parts, path);
  for_own([&](std::size_t, std::size_t column, const Lines&, const Entry&) { builder.count(column); });
  builder.start_filling();
  for_own([&](std::size_t row, std::size_t column, const Lines& lines, const Entry& entry) {
    builder.add(row, column, parse_value(lines, entry));
  });
  return builder.take();
}

}  // namespace

Dataset read_svmlight(const Bytes& bytes, const std::string& path, const ReadOptions& options) {
  check_options(options);
  const std::string_view text = bytes.view();
  reject_nul(text, 0, path);
  LabelTexts labels{{}, {}, path};
  const Extent extent = measure(text, labels);
  bytes.release_before(text.data() + text.size());
  Dataset dataset;
  dataset.absent_is_zero = true;
  dataset.notes.push_back("format: svmlight");
  if (extent.zero_based) dataset.notes.push_back("indices: from 0 (index 0 is used); the first feature is f0");
  assign_labels(dataset, labels, options);
  if (options.compact && worth_sparse(extent.values, extent.rows, extent.columns()))
    assign_sparse(dataset, read_sparse(bytes, path, extent, options));
  else
    dataset.features = read_dense(bytes, path, extent);
  dataset.feature_names = numbered_names("f", extent.first(), dataset.features.cols());
  dataset.sample_names = numbered_names("", 1, dataset.features.rows());
  return dataset;
}

}  // namespace cavity
